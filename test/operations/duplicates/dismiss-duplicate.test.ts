import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { duplicatesOf, mergeWhole, pairOf } from '../../support/duplicates.ts';
import { codeOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { givenContact } from '../../support/proposals.ts';
import { purgeAll } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /contacts/{contact_id}/duplicates/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  let made = 0;
  let name: string;
  beforeEach(() => {
    name = `Hedy Lamarr ${++made}`;
  });

  const same = (user = ada, draft: object = {}) => givenContact(user, { name, ...draft });
  const dismiss = (user: TestUser, contact_id: string, id: string) =>
    user.api.dismissDuplicate({ params: { contact_id, id } });
  const found = async (user: TestUser, id: string) =>
    (await duplicatesOf(user, id)).map(({ contact }) => contact.id);
  const rowsOf = async (id: string) => {
    const { PK, SK } = keys.distinct(id, '');
    return (await workspace.table.all(PK, SK)).map((row) => row.SK.slice(SK.length));
  };

  it('204: the pair is gone for everybody, from both sides, and stays so after changes', async () => {
    const [one, other, third] = [await same(), await same(grace), await same(linus)];
    const id = await pairOf(linus, one.id, other.id);
    const { status, body } = await dismiss(linus, one.id, id);
    expect([status, body]).toEqual([204, null]);
    for (const user of [ada, grace, linus]) {
      expect(await found(user, one.id)).toEqual([third.id]);
      expect(await found(user, other.id)).toEqual([third.id]);
    }
    const contact = { phone_numbers: [{ phone_number: '+1 555 010 4242' }] };
    for (const { id: contact_id } of [one, other])
      await ada.api.updateContact({ params: { id: contact_id }, body: { contact } });
    expect(await found(ada, one.id)).toEqual([third.id]);
    expect(await codeOf(dismiss(linus, one.id, id))).toBe('404 record_not_found');
  });

  it('404: a pair that the user does not see, one of other contacts, an unknown one', async () => {
    const [one, hidden] = [await same(), await same(ada, { visibility: 'private' })];
    const stranger = await givenContact(ada);
    const id = await pairOf(ada, one.id, hidden.id);
    const calls = [
      dismiss(linus, one.id, id),
      dismiss(linus, hidden.id, id),
      dismiss(workspace.hank, one.id, id),
      dismiss(ada, stranger.id, id),
      dismiss(ada, one.id, hidden.id),
      dismiss(ada, one.id, randomUUID()),
    ];
    for (const code of await Promise.all(calls.map(codeOf))) expect(code).toBe('404 record_not_found');
    expect(await found(ada, one.id)).toEqual([hidden.id]);
  });

  it('403: with a share to view only', async () => {
    const [one, looked] = [await same(), await same(ada, { visibility: 'private' })];
    const params = { record_type: 'contacts' as const, record_id: looked.id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    const id = await pairOf(linus, one.id, looked.id);
    for (const contact of [one, looked])
      expect(await codeOf(dismiss(linus, contact.id, id))).toBe('403 permission_denied');
    expect(await found(ada, one.id)).toEqual([looked.id]);
  });

  it('two users at once: both are done, or the second finds no pair', async () => {
    const [one, other] = [await same(), await same()];
    const id = await pairOf(ada, one.id, other.id);
    const codes = await Promise.all(
      [ada, grace, linus].map((user) =>
        dismiss(user, one.id, id).then(
          ({ status }) => status,
          ({ status }) => status,
        ),
      ),
    );
    expect(codes).toContain(204);
    expect(codes.every((code) => code === 204 || code === 404)).toBe(true);
    expect(await found(ada, one.id)).toEqual([]);
  });

  longIt('while one is deleted: nothing is left under it', async () => {
    const [one, other] = [await same(), await same()];
    const id = await pairOf(ada, one.id, other.id);
    await Promise.allSettled([
      ada.api.deleteContact({ params: { id: other.id } }),
      dismiss(grace, one.id, id),
    ]);
    await purgeAll(workspace);
    expect(await rowsOf(one.id)).toEqual([]);
    expect(await rowsOf(other.id)).toEqual([]);
  });

  longIt('ends with the contact; a survivor of a merge keeps what both were not', async () => {
    const [one, other, third] = [await same(), await same(), await same()];
    for (const [a, b] of [
      [one, other],
      [other, third],
    ] as const)
      await dismiss(ada, a.id, await pairOf(ada, a.id, b.id));
    const heir = await same();
    await mergeWhole(workspace, ada, heir.id, other.id);
    expect(await found(ada, heir.id)).toEqual([]);
    expect((await rowsOf(heir.id)).toSorted()).toEqual([one.id, third.id].toSorted());
    expect(await rowsOf(other.id)).toEqual([]);
    // Merging says that they are one after all.
    await mergeWhole(workspace, ada, heir.id, one.id);
    expect(await rowsOf(heir.id)).toEqual([third.id]);
    await ada.api.deleteContact({ params: { id: third.id } });
    await purgeAll(workspace);
    for (const { id } of [one, other, third, heir]) expect(await rowsOf(id)).toEqual([]);
  });

  longIt('a failed call at any point leaves the pair, or both rows', async () => {
    for (const when of ['before', 'after'] as const)
      for (let call = 1, hit = true; hit; call += STRIDE) {
        name = `Faulty ${when} ${call}`;
        const [one, other] = [await same(), await same()];
        const id = await pairOf(ada, one.id, other.id);
        const fault = failCall(workspace.table, call, when);
        await dismiss(ada, one.id, id).catch(() => undefined);
        fault.remove();
        ({ hit } = fault);
        const rows = [...(await rowsOf(one.id)), ...(await rowsOf(other.id))];
        expect([[], [other.id, one.id]]).toContainEqual(rows);
        expect(await found(ada, one.id)).toEqual(rows.length === 0 ? [other.id] : []);
      }
  });
});
