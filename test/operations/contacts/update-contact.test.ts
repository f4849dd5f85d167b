import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { givenGroup } from '../../support/groups.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /contacts/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const update = (user: TestUser, id: string, contact: object) =>
    user.api.updateContact({ params: { id }, body: { contact } });
  const share = (id: string, draft: object) =>
    ada.api.createShare({ params: { record_type: 'contacts', record_id: id }, body: { share: draft } });

  it('200: sent fields change, null clears, an array replaces the whole, others stay', async () => {
    const { id, created_at } = await givenContact(grace, {
      name: 'Priya',
      headline: 'Head of ferries',
      nickname: 'P',
      links: [{ url: 'https://a.example' }, { url: 'https://b.example' }],
    });
    const sent = { headline: 'Retired', nickname: null, links: [{ url: 'https://c.example' }] };
    const { status, body } = await update(ada, id, sent);
    expect(status).toBe(200);
    expect(body.contact).toMatchObject({
      name: 'Priya',
      headline: 'Retired',
      nickname: null,
      links: [{ url: 'https://c.example/' }],
      created_at,
      user_id: grace.user.id,
    });
    expect(body.contact.updated_at).not.toBeNull();
    expect(await readContact(grace, id)).toMatchObject({ headline: 'Retired', comments: [] });
  });

  it.each([
    'id',
    'user_id',
    'created_at',
    'pinned',
    'tags',
    'shares',
    'source',
    'thread_count',
    'merged_ids',
  ])('400: %s belongs to the service', async (field) => {
    const { id } = await givenContact(ada);
    expect(await problemsOf(update(ada, id, { [field]: null }))).toEqual({ [field]: 'not_allowed' });
  });

  it('404: nobody else finds a private contact; 200 for its owner', async () => {
    const { id } = await givenContact(ada, { visibility: 'private' });
    for (const user of [grace, workspace.hank]) {
      expect(await codeOf(update(user, id, { headline: 'X' }))).toBe('404 record_not_found');
      expect(await codeOf(update(user, randomUUID(), { headline: 'X' }))).toBe('404 record_not_found');
    }
    expect((await update(ada, id, { headline: 'X' })).status).toBe(200);
  });

  it('403: a share to view does not allow changes; one to edit does, also through a group', async () => {
    const { id } = await givenContact(ada, { visibility: 'private' });
    await share(id, { user_id: linus.user.id });
    expect(await codeOf(update(linus, id, { headline: 'X' }))).toBe('403 permission_denied');
    const group = await givenGroup(ada, [linus]);
    await share(id, { group_id: group.id, access: 'edit' });
    expect((await update(linus, id, { headline: 'By Linus' })).body.contact.headline).toBe('By Linus');
    await ada.api.deleteMembership({ params: { group_id: group.id, user_id: linus.user.id } });
    expect(await codeOf(update(linus, id, { headline: 'Y' }))).toBe('403 permission_denied');
  });

  it('403: only the owner and admins make a contact private', async () => {
    const { id } = await givenContact(ada);
    expect(await codeOf(update(linus, id, { visibility: 'private' }))).toBe('403 permission_denied');
    expect((await update(linus, id, { visibility: 'account' })).status).toBe(200);
    const own = await givenContact(linus);
    expect((await update(linus, own.id, { visibility: 'private' })).body.contact.visibility).toBe('private');
  });

  it('409: an address of a contact that is shared with the user is taken', async () => {
    const held = { email_addresses: [{ email_address: 'held@shared.example' }] };
    const { id } = await givenContact(ada, { visibility: 'private', ...held });
    const other = await givenContact(linus);
    await share(id, { user_id: linus.user.id });
    expect(await failureOf(update(linus, other.id, held))).toMatchObject({
      status: 409,
      code: 'email_address_taken',
      fields: { 'email_addresses.0.email_address': { code: 'taken' } },
    });
    const hidden = await givenContact(grace);
    expect((await update(grace, hidden.id, held)).status).toBe(200);
  });

  it('keeps both of two changes at once', async () => {
    const { id } = await givenContact(ada);
    await Promise.all([update(ada, id, { headline: 'One' }), update(grace, id, { nickname: 'Two' })]);
    expect(await readContact(ada, id)).toMatchObject({ headline: 'One', nickname: 'Two' });
  });
});
