import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import {
  mergeInto,
  mergeWhole,
  reasonsOf,
  runIndexings,
  unmergeCall,
  unmergeWhole,
} from '../../support/duplicates.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { openJobs } from '../../support/jobs.ts';
import { longIt } from '../../support/long.ts';
import { readOrganization } from '../../support/organizations.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { comment, comments, runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const addresses = (...all: string[]) => all.map((email_address) => ({ email_address }));

/** What a contact is, without the time of its last change. */
const content = ({ updated_at: _, ...rest }: ContactRecord) => rest;

const DAY = 86_400_000;

describe('POST /contacts/{contact_id}/unmerge', () => {
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
  const full = () => {
    made += 1;
    return {
      ...{
        name: `Full ${made}`,
        headline: `Headline ${made}`,
        nickname: `Nick ${made}`,
        birthday: '1815-12-10',
      },
      ...{ external_id: `full-${made}`, custom_fields: { number: made, [`only_${made}`]: 'x' } },
      email_addresses: addresses(`full-${made}@x.example`, `home-${made}@x.example`),
      phone_numbers: [{ phone_number: `+1 555 ${String(2_000_000 + made)}` }],
      links: [{ url: `https://full-${made}.example/` }],
      addresses: [{ city: `City ${made}` }],
      employments: [{ title: 'Engineer', organization: { name: `Works ${made}` } }],
    };
  };
  const bare = () => ({ name: `Bare ${++made}` });
  const pair = async (one: object = full(), other: object = full()) => ({
    into: await givenContact(ada, one),
    from: await givenContact(ada, other),
  });
  const update = (id: string, contact: object, user = ada) =>
    user.api.updateContact({ params: { id }, body: { contact } });
  const found = async (user: TestUser, query: object) =>
    (await user.reader.listContacts({ query })).body.collection.records.map(({ id }) => id);
  const refusal = (into: string, from: string, user = ada) => codeOf(unmergeCall(user, into, from));

  longIt.each([
    ['full contacts', full, full],
    ['a bare survivor', bare, full],
    ['a bare other one', full, bare],
    [
      'one that only its address names',
      () => ({ email_addresses: addresses(`sole-${++made}@x.example`) }),
      full,
    ],
  ])('200: both are as they were, in lists too: %s', async (_, one, other) => {
    const { into, from } = await pair(one(), other());
    const before = [await readContact(ada, into.id), await readContact(ada, from.id)];
    await mergeWhole(workspace, ada, into.id, from.id);
    const { status, body } = await unmergeCall(ada, into.id, from.id);
    expect(status).toBe(200);
    await runRemovals(workspace);
    await runIndexings(workspace);
    const after = [await readContact(ada, into.id), await readContact(ada, from.id)];
    expect(after.map(content)).toEqual(before.map(content));
    const shown = [body.contact, body.unmerged_contact];
    expect(shown.map(({ name, email_addresses }) => ({ name, email_addresses }))).toEqual(
      before.map(({ name, email_addresses }) => ({ name, email_addresses })),
    );
    for (const contact of [into, from]) {
      for (const { email_address } of contact.email_addresses)
        expect(await found(ada, { email_address })).toEqual([contact.id]);
      for (const { organization } of contact.employments)
        expect((await readOrganization(ada, organization?.id ?? '')).contact_count).toBe(1);
      if (contact.external_id)
        expect(await found(ada, { external_id: contact.external_id })).toEqual([contact.id]);
    }
    expect(await openJobs(workspace.table)).toEqual([]);
    expect(await workspace.table.all(`MERGE#${from.id}`)).toEqual([]);
  });

  longIt(
    'what a user changed since stays with the survivor; what came and was not changed goes',
    async () => {
      const { into, from } = await pair({ ...bare(), phone_numbers: [{ phone_number: '+1 555 0100' }] });
      const merged = await mergeWhole(workspace, ada, into.id, from.id);
      await update(into.id, {
        headline: 'Changed since',
        custom_fields: { mine: 'new' },
        phone_numbers: [...merged.phone_numbers, { phone_number: '+1 555 0199', label: 'new' }],
        email_addresses: [...addresses('own@since.example'), ...merged.email_addresses].map((each) => ({
          ...each,
          label: 'relabelled',
        })),
      });
      const { contact, unmerged_contact } = await unmergeWhole(workspace, ada, into.id, from.id);
      expect(contact).toMatchObject({
        ...{ name: into.name, headline: 'Changed since', nickname: null, birthday: null, external_id: null },
        custom_fields: { mine: 'new' },
        email_addresses: [{ email_address: 'own@since.example', label: 'relabelled', primary: true }],
        phone_numbers: [
          { phone_number: '+1 555 0100', primary: true },
          { phone_number: '+1 555 0199', label: 'new' },
        ],
        ...{ links: [], addresses: [], employments: [], merged_ids: [] },
      });
      const counted = { comments: null, tasks: null, thread_count: null };
      expect({ ...content(unmerged_contact), ...counted }).toEqual({ ...content(from), ...counted });
      expect(content(await readContact(ada, into.id))).toMatchObject({
        phone_numbers: contact.phone_numbers,
      });
    },
  );

  longIt('a chosen value, a label of both, and a computed name are undone', async () => {
    const link = { url: 'https://both.example/' };
    const one = { name: null, first_name: 'Ada', headline: 'Mine', links: [link] };
    const { into, from } = await pair(one, {
      ...full(),
      last_name: 'King',
      links: [{ ...link, label: 'blog' }],
    });
    await mergeWhole(workspace, ada, into.id, from.id, {
      fields: { headline: 'other', external_id: 'other' },
    });
    expect(await readContact(ada, into.id)).toMatchObject({ name: 'Ada King', headline: from.headline });
    const { contact } = await unmergeWhole(workspace, ada, into.id, from.id);
    expect(contact).toMatchObject({ name: 'Ada', last_name: null, headline: 'Mine', external_id: null });
    expect(contact.links).toMatchObject([{ ...link, label: null }]);
  });

  it('400: without the other contact, or with what is no id', async () => {
    const { id } = await givenContact(ada, bare());
    const send = (body: object) =>
      problemsOf(ada.api.unmergeContacts({ params: { contact_id: id }, body: body as never }));
    expect(await send({})).toEqual({ contact_id_to_unmerge: 'required' });
    expect(await send({ contact_id_to_unmerge: 'x' })).toEqual({ contact_id_to_unmerge: 'invalid_format' });
  });

  longIt(
    '404: a contact that is no part of the other one, a hidden survivor; 403 for one to look at',
    async () => {
      const { into, from } = await pair(bare(), bare());
      for (const other of [from.id, into.id, randomUUID()])
        expect(await refusal(into.id, other)).toBe('404 record_not_found');
      const hidden = await pair({ ...bare(), visibility: 'private' }, { ...bare(), visibility: 'private' });
      await mergeWhole(workspace, ada, hidden.into.id, hidden.from.id);
      expect(await refusal(hidden.into.id, hidden.from.id, linus)).toBe('404 record_not_found');
      expect(await refusal(hidden.into.id, hidden.from.id, workspace.hank)).toBe('404 record_not_found');
      const share = { user_id: linus.user.id };
      const params = { record_type: 'contacts' as const, record_id: hidden.into.id };
      await ada.api.createShare({ params, body: { share } });
      expect(await refusal(hidden.into.id, hidden.from.id, linus)).toBe('403 permission_denied');
      await unmergeWhole(workspace, ada, hidden.into.id, hidden.from.id);
      expect(await refusal(hidden.into.id, hidden.from.id)).toBe('404 record_not_found');
      expect(await codeOf(linus.reader.retrieveContact({ params: { id: hidden.from.id } }))).toBe(
        '404 record_not_found',
      );
    },
  );

  longIt('409 with Retry-After while the merge, or taking one back, is under way', async () => {
    const { into, from } = await pair(bare(), bare());
    const third = await givenContact(ada, bare());
    await mergeInto(ada, into.id, from.id);
    const failure = await failureOf(unmergeCall(ada, into.id, from.id));
    expect([failure.status, failure.code]).toEqual([409, 'merge_in_progress']);
    expect(failure.headers.get('retry-after')).toBe('5');
    await runRemovals(workspace);
    await unmergeCall(ada, into.id, from.id);
    for (const each of [into, from])
      expect(
        await codeOf(
          ada.api.mergeContacts({ params: { contact_id: third.id }, body: { contact_id_to_merge: each.id } }),
        ),
      ).toBe('409 merge_in_progress');
    await runRemovals(workspace);
    expect((await mergeWhole(workspace, ada, into.id, from.id)).merged_ids).toEqual([from.id]);
    await unmergeWhole(workspace, ada, into.id, from.id);
  });

  longIt('409 like a create, when an address or the external id is on a third contact by now', async () => {
    const { into, from } = await pair(bare(), {
      ...bare(),
      email_addresses: addresses('left@x.example'),
      external_id: 'left-1',
    });
    await mergeWhole(workspace, ada, into.id, from.id);
    await update(into.id, { email_addresses: [], external_id: null });
    const third = await givenContact(ada, { ...bare(), email_addresses: addresses('left@x.example') });
    expect(await refusal(into.id, from.id)).toBe('409 email_address_taken');
    await update(third.id, { email_addresses: [], external_id: 'left-1' });
    expect(await refusal(into.id, from.id)).toBe('409 external_id_taken');
    await update(third.id, { external_id: null });
    const { unmerged_contact } = await unmergeWhole(workspace, ada, into.id, from.id);
    expect(unmerged_contact).toMatchObject({
      external_id: 'left-1',
      email_addresses: addresses('left@x.example'),
    });
  });

  longIt('422 after 7 days', async () => {
    const { into, from } = await pair(bare(), full());
    await mergeWhole(workspace, ada, into.id, from.id);
    workspace.setTime(new Date(Date.now() + 7 * DAY + 1_000));
    expect(await refusal(into.id, from.id)).toBe('422 merge_is_final');
    workspace.setTime(new Date(Date.now() + 7 * DAY - 60_000));
    expect((await unmergeCall(ada, into.id, from.id)).status).toBe(200);
    workspace.setTime(undefined);
    await runRemovals(workspace);
  });

  longIt(
    '422 before later merges are taken back: of another contact, and of the survivor itself',
    async () => {
      const [a, b, c, d] = await Promise.all(
        [full(), full(), full(), full()].map((each) => givenContact(ada, each)),
      );
      const ids = [a, b, c, d].map((each) => each?.id ?? '') as [string, string, string, string];
      const before = await Promise.all(ids.map((id) => readContact(ada, id)));
      const [first, second, third, last] = ids;
      await comment(grace, first, { html_content: 'Of the first' });
      await mergeWhole(workspace, ada, second, first);
      await mergeWhole(workspace, ada, third, second);
      await mergeWhole(workspace, ada, third, last);
      expect(await refusal(third, first)).toBe('422 later_merge_first');
      expect(await refusal(third, second)).toBe('422 later_merge_first');
      expect(await refusal(second, first)).toBe('404 record_not_found');
      await unmergeWhole(workspace, ada, third, last);
      expect(await refusal(third, first)).toBe('422 later_merge_first');
      const { unmerged_contact } = await unmergeWhole(workspace, ada, third, second);
      expect(unmerged_contact.merged_ids).toEqual([first]);
      expect((await comments(ada, second)).map(({ html_content }) => html_content)).toEqual(['Of the first']);
      await unmergeWhole(workspace, ada, second, first);
      const after = await Promise.all(ids.map((id) => readContact(ada, id)));
      expect(after.map((each) => ({ ...content(each), comments: [] }))).toEqual(
        before.map((each) => ({ ...content(each), comments: [] })),
      );
      expect((await comments(ada, first)).map(({ html_content }) => html_content)).toEqual(['Of the first']);
    },
  );

  longIt('are two people from then on: not offered as duplicates, however alike', async () => {
    const name = `Emmy Noether ${++made}`;
    const { into, from } = await pair({ name }, { name });
    expect(await reasonsOf(ada, into.id)).toHaveProperty([name]);
    await mergeWhole(workspace, ada, into.id, from.id);
    await unmergeWhole(workspace, ada, into.id, from.id);
    expect(await reasonsOf(ada, into.id)).toEqual({});
    expect(await reasonsOf(ada, from.id)).toEqual({});
  });
});
