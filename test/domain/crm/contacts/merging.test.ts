import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import { mergeCall, runIndexings } from '../../../support/duplicates.ts';
import { crashAfter, type Fault, failCall } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { cases, long, longIt, rounds, STRIDE } from '../../../support/long.ts';
import { givenContact, readContact } from '../../../support/proposals.ts';
import { comment, comments, runRemovals } from '../../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Merges of contacts at once with other requests, and cut off anywhere: one outcome, and nothing is lost. */

let made = 0;

/** A contact that is recognized by its address, its number and its external id. */
function draft() {
  made += 1;
  return {
    name: `Merged ${made}`,
    email_addresses: [{ email_address: `merged-${made}@x.example` }],
    phone_numbers: [{ phone_number: `+1 555 ${String(1_000_000 + made)}` }],
    external_id: `merged-${made}`,
  };
}

const addressesOf = (...contacts: ContactRecord[]) =>
  contacts.flatMap(({ email_addresses }) => email_addresses.map((each) => each.email_address));

describe('merging contacts', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let one: ContactRecord;
  let other: ContactRecord;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());
  beforeEach(async () => {
    [one, other] = [await givenContact(ada, draft()), await givenContact(ada, draft())];
  });

  const find = (id: string) => readContact(ada, id).catch(() => undefined);
  const update = (id: string, contact: object) =>
    grace.api.updateContact({ params: { id }, body: { contact } });
  const remove = (id: string) => grace.api.deleteContact({ params: { id } });
  const idsBy = async (query: object) =>
    (await ada.reader.listContacts({ query })).body.collection.records.map(({ id }) => id);
  const statuses = (results: PromiseSettledResult<unknown>[]) => results.map(({ status }) => status);
  const finish = async () => {
    await runRemovals(workspace);
    await runIndexings(workspace);
  };

  /** Every address leads to the contact, and the number, the external ids of both were its own or are free. */
  async function expectWhole(contact: ContactRecord, ...merged: ContactRecord[]): Promise<void> {
    const found = await readContact(ada, contact.id);
    expect(addressesOf(found).toSorted()).toEqual(addressesOf(contact, ...merged).toSorted());
    expect(found.phone_numbers).toHaveLength(1 + merged.length);
    expect(found.email_addresses.filter(({ primary }) => primary)).toHaveLength(1);
    for (const email_address of addressesOf(found))
      expect(await idsBy({ email_address })).toEqual([contact.id]);
    for (const { external_id } of [contact, ...merged])
      expect(await idsBy({ external_id })).toEqual(external_id === found.external_id ? [contact.id] : []);
    for (const { id } of merged) expect(await find(id)).toBeUndefined();
  }

  const attempts = Array.from({ length: rounds(1, 8) }, (_, i) => i);

  longIt.each(attempts)('a into b while b into a: one of both (%i)', async () => {
    const results = await Promise.allSettled([
      mergeCall(ada, one.id, other.id),
      mergeCall(grace, other.id, one.id),
    ]);
    expect(statuses(results).toSorted()).toEqual(['fulfilled', 'rejected']);
    await finish();
    const [kept, gone] = results[0]?.status === 'fulfilled' ? [one, other] : [other, one];
    await expectWhole(kept, gone);
    expect((await readContact(ada, kept.id)).merged_ids).toEqual([gone.id]);
  });

  longIt.each(attempts)('in a circle of three: at least one is left, with everything (%i)', async () => {
    const third = await givenContact(ada, draft());
    const all = [one, other, third];
    const results = await Promise.allSettled([
      mergeCall(ada, one.id, other.id),
      mergeCall(ada, other.id, third.id),
      mergeCall(ada, third.id, one.id),
    ]);
    await finish();
    const left = (await Promise.all(all.map(({ id }) => find(id)))).filter((each) => each !== undefined);
    expect(left).toHaveLength(3 - statuses(results).filter((status) => status === 'fulfilled').length);
    expect(left.length).toBeGreaterThan(0);
    expect(addressesOf(...left).toSorted()).toEqual(addressesOf(...all).toSorted());
  });

  longIt('many into one at once: all of them', async () => {
    const others = await Promise.all(Array.from({ length: long ? 10 : 3 }, () => givenContact(ada, draft())));
    await Promise.all(others.map(({ id }) => mergeCall(ada, one.id, id)));
    await finish();
    await expectWhole(one, ...others);
    expect((await readContact(ada, one.id)).merged_ids.toSorted()).toEqual(
      others.map(({ id }) => id).toSorted(),
    );
  });

  longIt.each(attempts)(
    'while one of both is changed: the change is in the survivor, or refused (%i)',
    async () => {
      const [merged, losing, surviving] = await Promise.allSettled([
        mergeCall(ada, one.id, other.id),
        update(other.id, { nickname: 'Late' }),
        update(one.id, { headline: 'Kept' }),
      ]);
      expect([merged.status, surviving.status]).toEqual(['fulfilled', 'fulfilled']);
      const found = await readContact(ada, one.id);
      expect(found.headline).toBe('Kept');
      expect(found.nickname).toBe(losing.status === 'fulfilled' ? 'Late' : null);
      await finish();
      await expectWhole(one, other);
    },
  );

  it.each(attempts)('while the losing one is deleted: either of both (%i)', async () => {
    const results = await Promise.allSettled([mergeCall(ada, one.id, other.id), remove(other.id)]);
    expect(statuses(results).toSorted()).toEqual(['fulfilled', 'rejected']);
    await finish();
    await expectWhole(one, ...(results[0]?.status === 'fulfilled' ? [other] : []));
    expect(await find(other.id)).toBeUndefined();
  });

  it.each(attempts)(
    'while the survivor is deleted: both are gone, or the losing one is as it was (%i)',
    async () => {
      const [merged, removed] = await Promise.allSettled([mergeCall(ada, one.id, other.id), remove(one.id)]);
      expect(removed.status).toBe('fulfilled');
      await finish();
      expect(await find(one.id)).toBeUndefined();
      if (merged.status === 'rejected') await expectWhole(other);
      else expect(await find(other.id)).toBeUndefined();
      expect(await openJobs(workspace.table)).toEqual([]);
    },
  );

  it.each(attempts)(
    'while somebody comments on the losing one: the comment follows, or is refused (%i)',
    async () => {
      const [, commented] = await Promise.allSettled([
        mergeCall(ada, one.id, other.id),
        comment(grace, other.id, { html_content: 'Late' }),
      ]);
      await finish();
      const texts = (await comments(ada, one.id)).map(({ html_content }) => html_content);
      expect(texts).toEqual(commented.status === 'fulfilled' ? ['Late'] : []);
    },
  );

  longIt.each(
    cases<[string, (call: number) => Fault]>(
      [['is the last', (call) => crashAfter(workspace.table, call)]],
      [
        ['fails before it is done', (call) => failCall(workspace.table, call, 'before')],
        ['fails after it is done', (call) => failCall(workspace.table, call, 'after')],
      ],
    ),
  )('when a call %s: both are as they were, or merged', { timeout: 300_000 }, async (_, fail) => {
    for (let call = 1, hit = true; hit; call += STRIDE) {
      [one, other] = [await givenContact(ada, draft()), await givenContact(ada, draft())];
      const fault = fail(call);
      const answered = await mergeCall(ada, one.id, other.id).then(
        () => true,
        () => false,
      );
      fault.remove();
      ({ hit } = fault);
      const isMerged = (await find(other.id)) === undefined;
      if (answered) expect(isMerged).toBe(true);
      if (!isMerged) {
        expect((await readContact(ada, one.id)).updated_at).toBeNull();
        await mergeCall(ada, one.id, other.id);
      }
      await finish();
      await expectWhole(one, other);
      expect(await openJobs(workspace.table)).toEqual([]);
    }
  });
});
