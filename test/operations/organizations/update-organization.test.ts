import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenOrganization, organizationsOf, readOrganization } from '../../support/organizations.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /organizations/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const update = (user: TestUser, id: string, organization: object) =>
    user.api.updateOrganization({ params: { id }, body: { organization } });
  const share = (id: string, draft: object) =>
    ada.api.createShare({ params: { record_type: 'organizations', record_id: id }, body: { share: draft } });

  it('200: sent fields change, null clears, an array replaces the whole, others stay', async () => {
    const { id, created_at, links } = await givenOrganization(grace, {
      name: 'Ferries',
      industry: 'Ships',
      employee_count: 3,
      links: [{ url: 'https://a.example' }, { url: 'https://b.example' }],
      custom_fields: { a: 1, b: 2 },
    });
    const { status, body } = await update(ada, id, {
      industry: 'Boats',
      employee_count: null,
      links: [{ url: 'https://b.example', label: 'new' }],
      custom_fields: { a: null, c: 3 },
    });
    expect(status).toBe(200);
    expect(body.organization).toMatchObject({
      name: 'Ferries',
      industry: 'Boats',
      employee_count: null,
      links: [{ id: links[1]?.id, url: 'https://b.example/', label: 'new' }],
      custom_fields: { b: 2, c: 3 },
      created_at,
      user_id: grace.user.id,
    });
    expect(body.organization.updated_at).not.toBeNull();
    expect(await readOrganization(grace, id)).toMatchObject({ industry: 'Boats', comments: [] });
  });

  it('200: writes nothing when nothing would change', async () => {
    const { id } = await givenOrganization(ada, { name: 'Same', domains: ['same.example'] });
    expect((await update(ada, id, { name: 'Same' })).body.organization.updated_at).toBeNull();
    expect((await update(ada, id, {})).body.organization.updated_at).toBeNull();
  });

  it.each(['id', 'user_id', 'created_at', 'updated_at', 'tags', 'shares', 'open_deal_count', 'space_ids'])(
    '400: %s belongs to the service',
    async (field) => {
      const { id } = await givenOrganization(ada);
      expect(await problemsOf(update(ada, id, { [field]: null }))).toEqual({ [field]: 'not_allowed' });
    },
  );

  it('400: the name cannot be cleared', async () => {
    const { id } = await givenOrganization(ada);
    for (const name of ['', ' '])
      expect(await problemsOf(update(ada, id, { name }))).toEqual({ name: 'required' });
  });

  it('claims new domains and frees old ones', async () => {
    const { id } = await givenOrganization(ada, { domains: ['old.example', 'kept.example'] });
    await update(ada, id, { domains: ['kept.example', 'added.example'] });
    const other = await givenOrganization(ada, { domains: ['old.example'] });
    expect(
      await failureOf(update(ada, other.id, { domains: ['old.example', 'added.example'] })),
    ).toMatchObject({
      status: 409,
      code: 'domain_taken',
      fields: { 'domains.1': { code: 'taken' } },
    });
    expect((await organizationsOf(ada, { domain: 'old.example' })).map(({ id }) => id)).toEqual([other.id]);
  });

  it('200: a hidden organization keeps its domain when this one leaves it', async () => {
    const held = { domains: ['both.example'] };
    const hidden = await givenOrganization(grace, { visibility: 'private', ...held });
    const own = await givenOrganization(ada, held);
    await update(ada, own.id, { domains: [] });
    expect((await organizationsOf(grace, { domain: 'both.example' })).map(({ id }) => id)).toEqual([
      hidden.id,
    ]);
    expect(await organizationsOf(ada, { domain: 'both.example' })).toEqual([]);
  });

  longIt('renames one with 80 domains, and refuses to change more than 80 at once', async () => {
    const domains = (from: number) => Array.from({ length: 80 }, (_, i) => `d${from + i}.many.example`);
    const { id } = await givenOrganization(ada, { external_id: 'many', domains: domains(0) });
    const renamed = { name: 'Many more', external_id: 'many more', visibility: 'private' };
    expect((await update(ada, id, renamed)).body.organization).toMatchObject(renamed);
    expect(await problemsOf(update(ada, id, { domains: domains(41) }))).toEqual({ domains: 'too_long' });
    expect((await update(ada, id, { domains: domains(0).slice(40) })).body.organization.domains).toHaveLength(
      40,
    );
  });

  it('404: nobody else finds a private organization; 200 for its owner', async () => {
    const { id } = await givenOrganization(ada, { visibility: 'private' });
    for (const user of [grace, workspace.hank])
      for (const each of [id, randomUUID()])
        expect(await codeOf(update(user, each, { industry: 'X' }))).toBe('404 record_not_found');
    expect((await update(ada, id, { industry: 'X' })).status).toBe(200);
  });

  it('403: a share to view does not allow changes; one to edit does', async () => {
    const { id } = await givenOrganization(ada, { visibility: 'private' });
    const { share: given } = (await share(id, { user_id: linus.user.id })).body;
    expect(await codeOf(update(linus, id, { industry: 'X' }))).toBe('403 permission_denied');
    const params = { record_type: 'organizations' as const, record_id: id, id: given.id };
    await ada.api.updateShare({ params, body: { share: { access: 'edit' } } });
    expect((await update(linus, id, { industry: 'X' })).body.organization.industry).toBe('X');
  });

  it('403: only the owner and admins make an organization private', async () => {
    const { id } = await givenOrganization(ada);
    expect(await codeOf(update(linus, id, { visibility: 'private' }))).toBe('403 permission_denied');
  });

  it('keeps both of two changes at once', async () => {
    const { id } = await givenOrganization(ada);
    await Promise.all([update(ada, id, { industry: 'One' }), update(grace, id, { description: 'Two' })]);
    expect(await readOrganization(ada, id)).toMatchObject({ industry: 'One', description: 'Two' });
  });
});
