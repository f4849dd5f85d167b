import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { duplicatesOf, pairOf } from '../../support/duplicates.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /contacts/{contact_id}/duplicates/{id}/merge', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  let made = 0;
  let name: string;
  beforeEach(() => {
    name = `Grete Hermann ${++made}`;
  });

  const same = (draft: object = {}, user = ada) => givenContact(user, { name, ...draft });
  const merge = (user: TestUser, contact_id: string, id: string, body: object = {}) =>
    user.api.mergeDuplicate({ params: { contact_id, id }, body: { merge: body } });

  it('200: keeps the contact of the path when nothing is said', async () => {
    const [one, other] = [await same({ headline: 'One' }), await same({ headline: 'Other', nickname: 'O' })];
    const { status, body } = await merge(ada, one.id, await pairOf(ada, one.id, other.id));
    expect(status).toBe(200);
    expect(body.contact).toMatchObject({ id: one.id, headline: 'One', nickname: 'O', comments: null });
    expect(body.contact.merged_ids).toEqual([other.id]);
    expect(await codeOf(ada.reader.retrieveContact({ params: { id: other.id } }))).toBe(
      '404 record_not_found',
    );
    expect(await duplicatesOf(ada, one.id)).toEqual([]);
  });

  it('200: keep other; this and other in fields are still those of the path', async () => {
    const [one, other] = [
      await same({ headline: 'One', nickname: 'Uno', birthday: '1901-03-02' }),
      await same({ headline: 'Other', nickname: 'Altra' }),
    ];
    const id = await pairOf(ada, one.id, other.id);
    const body = { keep: 'other', fields: { headline: 'this', nickname: 'other' } };
    const { contact } = (await merge(ada, one.id, id, body)).body;
    expect(contact).toMatchObject({
      id: other.id,
      headline: 'One',
      nickname: 'Altra',
      birthday: '1901-03-02',
    });
    expect(await readContact(ada, other.id)).toMatchObject({ headline: 'One', merged_ids: [one.id] });
    expect(await codeOf(ada.reader.retrieveContact({ params: { id: one.id } }))).toBe('404 record_not_found');
  });

  longIt.each([
    ['another side to keep', { merge: { keep: 'both' } }, { keep: 'invalid' }],
    ['an unknown field', { merge: { fields: { nope: 'this' } } }, { 'fields.nope': 'invalid' }],
    ['no wrapper', { keep: 'this' }, { merge: 'required' }],
  ])('400: %s; nothing is merged', async (_, body, problems) => {
    const [one, other] = [await same(), await same()];
    const id = await pairOf(ada, one.id, other.id);
    const call = ada.api.mergeDuplicate({ params: { contact_id: one.id, id }, body: body as never });
    expect(await problemsOf(call)).toEqual(problems);
    expect(await pairOf(ada, one.id, other.id)).toBe(id);
  });

  it('404: a pair that the user does not see, that was dismissed or merged, or is of other contacts', async () => {
    const [one, hidden] = [await same(), await same({ visibility: 'private' })];
    const id = await pairOf(ada, one.id, hidden.id);
    const stranger = await givenContact(ada);
    const calls = [
      merge(linus, one.id, id),
      merge(linus, hidden.id, id, { keep: 'other' }),
      merge(workspace.hank, one.id, id),
      merge(ada, stranger.id, id),
      merge(ada, one.id, randomUUID()),
    ];
    for (const code of await Promise.all(calls.map(codeOf))) expect(code).toBe('404 record_not_found');
    await ada.api.dismissDuplicate({ params: { contact_id: one.id, id } });
    expect(await codeOf(merge(ada, one.id, id))).toBe('404 record_not_found');
  });

  it('403: without the right to edit both, whichever is kept', async () => {
    const [one, looked] = [await same({}, linus), await same({ visibility: 'private' })];
    const params = { record_type: 'contacts' as const, record_id: looked.id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    const id = await pairOf(linus, one.id, looked.id);
    for (const keep of ['this', 'other'])
      expect(await codeOf(merge(linus, one.id, id, { keep }))).toBe('403 permission_denied');
  });

  longIt('from both sides at once: one is merged, the other call is 404', async () => {
    const [one, other] = [await same({ nickname: 'One' }), await same({ headline: 'Other' })];
    const id = await pairOf(ada, one.id, other.id);
    const results = await Promise.allSettled([merge(ada, one.id, id), merge(linus, other.id, id)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const kept = results[0]?.status === 'fulfilled' ? one : other;
    const gone = kept === one ? other : one;
    expect(await readContact(ada, kept.id)).toMatchObject({
      ...{ nickname: 'One', headline: 'Other', merged_ids: [gone.id] },
    });
    expect(await codeOf(ada.reader.retrieveContact({ params: { id: gone.id } }))).toBe(
      '404 record_not_found',
    );
  });
});
