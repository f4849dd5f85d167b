import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportDraft } from '#shared/domain/exchange/exports/export.ts';
import { givenAccount } from '../../support/accounts.ts';
import { givenField, keepers, options } from '../../support/custom-fields.ts';
import { dealOf, givenDeal } from '../../support/deals.ts';
import { exportFile } from '../../support/exports.ts';
import { importFile } from '../../support/imports.ts';
import { longIt, rounds } from '../../support/long.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { firstPipelineOf } from '../../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Tables that exports write and imports read back (docs/specification/imports.md, "Exports"). */

type RecordType = ExportDraft['record_type'];

describe('a table of deals', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());

  const tableOf = async (record_type: RecordType) =>
    (await exportFile(workspace, ada, { record_type, format: 'csv' })).text;
  const statuses = async (bytes: string, record_type: RecordType = 'deals') =>
    (await importFile(workspace, ada, { bytes }, { record_type })).rows.map(({ status }) => status);
  const move = (id: string, stage_id: string | undefined) =>
    ada.api.updateDeal({ params: { id }, body: { deal: { stage_id } } });

  it('changes nothing: names of organizations beside ids, and probabilities of stages', async () => {
    const [, second] = [
      await givenOrganization(ada, { name: 'Acme' }),
      await givenOrganization(ada, { name: 'Acme' }),
    ];
    const { id } = await givenDeal(ada, { external_id: 'd-1', organization_id: second?.id });
    await givenDeal(ada, { external_id: 'd-2', probability: 35 });
    expect(await statuses(await tableOf('deals'))).toEqual(['unchanged', 'unchanged']);
    expect(await dealOf(ada, id)).toMatchObject({ organization_id: second?.id, probability: 10 });
    const { stages } = await firstPipelineOf(ada);
    await move(id, stages[2]?.id);
    expect((await dealOf(ada, id)).probability).toBe(stages[2]?.probability);
  });

  longIt('sets a probability that is neither what the deal shows nor that of its stage', async () => {
    const { stages } = await firstPipelineOf(ada);
    const [first, next] = stages;
    const { id } = await givenDeal(ada, { external_id: 'd-3' });
    const bring = async (probability: number, stage = first) => {
      const cells = ['d-3', 'Fleet renewal', stage?.id, probability];
      return [
        ...(await statuses(`external_id,name,stage_id,probability\n${cells.join()}\n`)),
        (await dealOf(ada, id)).probability,
      ];
    };
    expect(await bring(10)).toEqual(['unchanged', 10]);
    expect(await bring(10, next)).toEqual(['updated', next?.probability]);
    expect(await bring(77, next)).toEqual(['updated', 77]);
    expect(await bring(77)).toEqual(['updated', 77]);
    expect(await bring(10)).toEqual(['updated', 10]);
    await move(id, next?.id);
    expect((await dealOf(ada, id)).probability).toBe(next?.probability);
  });

  longIt('new deals follow their stages when they have the probability of them', async () => {
    const { stages } = await firstPipelineOf(ada);
    const bytes = 'external_id,name,probability\nd-4,Follows,10\nd-5,Own,15\n';
    const { rows } = await importFile(workspace, ada, { bytes }, { record_type: 'deals' });
    for (const { record_id } of rows) await move(`${record_id}`, stages[1]?.id);
    const found = await Promise.all(rows.map(({ record_id }) => dealOf(ada, `${record_id}`)));
    expect(found.map(({ probability }) => probability)).toEqual([stages[1]?.probability, 15]);
  });

  longIt('names count where a row has no id of the same thing, also of tasks', async () => {
    const { grace } = workspace;
    const [first, second] = [
      await givenOrganization(ada, { name: 'Ferries' }),
      await givenOrganization(ada, { name: 'Ferries' }),
    ];
    const { id: pipeline_id, stages } = await firstPipelineOf(ada);
    const deals = [
      'name,organization,organization_id,assigned_user,assigned_user_id,pipeline,pipeline_id,stage,stage_id',
      `Ids,Ferries,${second.id},Nobody,${grace.user.id},None,${pipeline_id},Nowhere,${stages[1]?.id}`,
      `Names,Ferries,,${ada.user.name},,Sales,,${stages[1]?.name},`,
    ].join('\n');
    const { rows } = await importFile(workspace, ada, { bytes: deals }, { record_type: 'deals' });
    const made = await Promise.all(rows.map(({ record_id }) => dealOf(ada, `${record_id}`)));
    const place = { pipeline_id, stage_id: stages[1]?.id };
    expect(made).toMatchObject([
      { ...place, organization_id: second.id, assigned_user_id: grace.user.id },
      { ...place, organization_id: first.id, assigned_user_id: ada.user.id },
    ]);
    const tasks = `name,organizations,organization_ids\nIds,Ferries,${second.id}\nNames,Ferries,\n`;
    const done = await importFile(workspace, ada, { bytes: tasks }, { record_type: 'tasks' });
    const linked = await Promise.all(
      done.rows.map(
        async ({ record_id }) =>
          (await ada.reader.retrieveTask({ params: { id: `${record_id}` } })).body.task.organization_ids,
      ),
    );
    expect(linked).toEqual([[second.id], [first.id]]);
  });
});

/** What separates cells, rows and values, begins formulas, or is more than a letter. */
const piece = fc.constantFrom(...',;:"\'=+@-*|<&\\ x', ':::', ' ::: ', '😀', '\n', '\r\n', '\t');

const text = fc.string({ unit: piece, maxLength: 10 });
/** One line of which something can be seen. */
const line = fc
  .tuple(text, text)
  .map(([before, after]) => `${before}o${after}`.replace(/\s/g, ' ').trim())
  .filter((one) => one !== '');
const maybe = (of: fc.Arbitrary<string>) => fc.option(of, { nil: null });
const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 3 });

const url = line.map((end) => `https://x.example/${end}`);
const phone = fc
  .string({ unit: fc.constantFrom(...'0123456789;,/x +-\n'), maxLength: 10 })
  .map((end) => `+49${end}`);
const address = fc.record({ street: line, city: maybe(line), country: maybe(line), label: maybe(line) });
const details = {
  phone_numbers: some(fc.record({ phone_number: phone })),
  links: some(fc.record({ url, label: maybe(line) })),
  addresses: some(address),
};

const OPTIONS = ['a ::: b', "'=c", 'd::::e', '+f "g"', ':::'];
const LONG_KEY = ` =note, ::: ${'k'.repeat(150)} `;
const custom_fields = fc.record({
  [LONG_KEY]: text,
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  several: fc.subarray(OPTIONS),
});

const kinds = {
  contacts: fc.record({
    ...{ name: line, nickname: maybe(line), description: text, ...details, custom_fields },
    employments: some(fc.record({ title: maybe(line), organization: fc.record({ name: line }) })),
  }),
  organizations: fc.record({
    ...{ name: line, industry: maybe(line), description: text, website_url: url, ...details, custom_fields },
    domains: fc.subarray(['www.x.example', 'y.example', 'www.y.example']),
  }),
  deals: fc.record({
    ...{ name: line, lost_reason: maybe(line), description: text, custom_fields },
    ...{ amount: fc.constantFrom(null, 0, 0.0001, 123456789012345), probability: fc.nat({ max: 100 }) },
  }),
  tasks: fc.record({
    ...{ name: line, description: text, all_day: fc.boolean() },
    due_at: fc.constantFrom('2026-12-24T10:00:00Z', '2026-02-01T00:00:00Z'),
  }),
};

const keeper = {
  ...keepers,
  tasks: {
    create: async ({ api }: TestUser, task: object) =>
      (await api.createTask({ body: { task: { name: 'Something', ...task } } })).body.task,
    update: async ({ api }: TestUser, id: string, task: object) =>
      (await api.updateTask({ params: { id }, body: { task } })).body.task,
  },
};

describe('whatever it contains, a table', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
  });
  afterAll(() => workspace.stop());

  const given = async (record_type: keyof typeof kinds) => {
    const [ada] = (await givenAccount(workspace, 1)) as [TestUser];
    if (record_type !== 'tasks')
      for (const [key, more] of [
        [LONG_KEY, {}],
        ['number', { type: 'number' }],
        ['several', { type: 'multi_select', options: options(...OPTIONS) }],
      ] as const)
        await givenField(ada, key, { record_type, ...more });
    return ada;
  };

  /** What lists show of the records before and after. */
  const trip = async (ada: TestUser, record_type: keyof typeof kinds) => {
    const shown = async () => (await exportFile(workspace, ada, { record_type, format: 'ndjson' })).text;
    const before = await shown();
    const { text: bytes } = await exportFile(workspace, ada, { record_type, format: 'csv' });
    const { rows } = await importFile(workspace, ada, { name: 'a.csv', bytes }, { record_type });
    expect(rows.map(({ status, error }) => error ?? status)).toEqual(['unchanged']);
    expect(await shown()).toBe(before);
  };

  it('of contacts comes back: tags and links with separators', async () => {
    const ada = await given('contacts');
    const { id } = await keepers.contacts.create(ada, {
      ...{ external_id: 'c-1', description: '  Two\nlines ', nickname: "'=cmd()" },
      links: [{ url: 'https://x.example/a;b' }],
      custom_fields: { [LONG_KEY]: ' kept ' },
    });
    const params = { record_type: 'contacts', record_id: id } as const;
    await ada.api.applyTag({ params, body: { tag: { name: 'Sales, EMEA' } } });
    await trip(ada, 'contacts');
  });

  longIt.each(Object.keys(kinds) as (keyof typeof kinds)[])('of %s comes back', async (record_type) => {
    const ada = await given(record_type);
    const { id } = await keeper[record_type].create(ada, {});
    const params = { record_type: record_type as 'deals', record_id: id };
    const sent = fc.tuple<[object, string, string[]]>(kinds[record_type], line, some(line));
    await fc.assert(
      fc.asyncProperty(sent, async ([fields, external_id, tags]) => {
        await keeper[record_type].update(ada, id, { ...fields, external_id });
        if (record_type !== 'tasks')
          for (const name of tags) await ada.api.applyTag({ params, body: { tag: { name } } });
        await trip(ada, record_type);
      }),
      { numRuns: rounds(2, 40), endOnFailure: true },
    );
  });
});

describe('whatever it contains, a card', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());

  const exported = async (format: 'vcard' | 'ndjson') =>
    (await exportFile(workspace, ada, { record_type: 'contacts', format })).text;

  const trip = async (id: string) => {
    const before = await exported('ndjson');
    const bytes = await exported('vcard');
    const bring = async () => (await importFile(workspace, ada, { name: 'a.vcf', bytes })).rows;
    const [same, ...none] = await bring();
    expect([same?.error ?? same?.status, same?.record_id, none]).toEqual(['unchanged', id, []]);
    expect(await exported('ndjson')).toBe(before);
  };

  longIt(
    'without an external id is known by its id, unless the contact is not there or not seen',
    async () => {
      const { api, reader } = ada;
      const { id } = await keepers.contacts.create(ada, {
        name: 'Ida',
        email_addresses: [{ email_address: 'ida@x.example' }],
      });
      const bytes = await exported('vcard');
      expect(bytes).toContain(`UID:urn:uuid:${id}\r\n`);
      await trip(id);
      const changed = bytes.replace('FN:Ida', 'FN:Ida B').replace(id, id.toUpperCase());
      const bring = async (text: string) =>
        (await importFile(workspace, ada, { name: 'a.vcf', bytes: text })).rows;
      expect(await bring(changed)).toMatchObject([{ status: 'updated', record_id: id }]);
      const contactOf = async (of: string) =>
        (await reader.retrieveContact({ params: { id: of } })).body.contact;
      expect(await contactOf(id)).toMatchObject({ name: 'Ida B', external_id: null });
      await api.updateContact({ params: { id }, body: { contact: { external_id: 'later' } } });
      expect(await bring(changed)).toMatchObject([{ status: 'unchanged', record_id: id }]);
      await api.deleteContact({ params: { id } });
      const [again] = await bring(changed);
      expect(again).toMatchObject({ status: 'created', error: null });
      const made = `${again?.record_id}`;
      expect(await contactOf(made)).toMatchObject({
        external_id: expect.stringMatching(new RegExp(`^urn:uuid:${id}$`, 'i')),
      });
      expect(await bring(changed)).toMatchObject([{ status: 'unchanged', record_id: made }]);
      const { contact: hidden } = (
        await workspace.grace.api.createContact({ body: { contact: { name: 'Eve', visibility: 'private' } } })
      ).body;
      const [other] = await bring(
        `BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:${hidden.id}\r\nFN:Adam\r\nEND:VCARD\r\n`,
      );
      expect(other).toMatchObject({ status: 'created', error: null });
      for (const one of [made, `${other?.record_id}`]) await api.deleteContact({ params: { id: one } });
    },
  );

  it('comes back: backslashes before what separates', async () => {
    const { id } = await keepers.contacts.create(ada, {
      external_id: 'c-1',
      ...{ name: 'a\\;b\\,c;d,e\\n', first_name: 'f\\;g', last_name: 'h;i\\', nickname: 'j\\,k;l' },
      ...{ description: 'C:\\new\\;\nm:\\:n', links: [{ url: 'https://x.example/a\\;b,c' }] },
      addresses: [{ street: 'o\\;p', city: 'q\\,r;s' }],
      employments: [{ title: 't\\;u', organization: { name: 'v;w\\;x\\,y' } }],
    });
    const params = { record_type: 'contacts', record_id: id } as const;
    await ada.api.applyTag({ params, body: { tag: { name: 'Sales\\, EMEA; \\;' } } });
    await trip(id);
    await ada.api.deleteContact({ params: { id } });
  });

  longIt('comes back', async () => {
    const { id } = await keepers.contacts.create(ada, { external_id: 'c-2' });
    const sent = fc.record({
      ...{ name: line, first_name: maybe(line), last_name: maybe(line), nickname: maybe(line) },
      ...{ description: text, ...details },
      employments: fc.tuple(fc.record({ title: maybe(line), organization: fc.record({ name: line }) })),
    });
    await fc.assert(
      fc.asyncProperty(sent, some(line), async (fields, tags) => {
        await keepers.contacts.update(ada, id, fields);
        const params = { record_type: 'contacts', record_id: id } as const;
        for (const name of tags) await ada.api.applyTag({ params, body: { tag: { name } } });
        await trip(id);
      }),
      { numRuns: rounds(2, 40), endOnFailure: true },
    );
  });
});
