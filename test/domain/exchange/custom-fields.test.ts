import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { bringAll, givenField, keepers, options } from '../../support/custom-fields.ts';
import { createExport, exportFile, retrieveExport, runExports } from '../../support/exports.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { importFile, rowsOf } from '../../support/imports.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Custom fields in files. */
describe('defined custom fields', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
  });
  afterAll(() => workspace.stop());

  const defined = {
    ...{ text: {}, number: {}, boolean: {}, date: {} },
    select: { options: [{ value: 'a', name: 'First' }, { value: 'b' }] },
    multi_select: { options: options('x', 'y') },
  };
  const givenDefined = async (record_type: 'contacts' | 'organizations' | 'deals', more: object = {}) => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    for (const [type, rest] of Object.entries(defined))
      await givenField(boss, type, { record_type, type: type as never, ...rest, ...more });
    return boss;
  };
  const columns = Object.keys(defined).map((key) => `custom_fields.${key}`);

  longIt.each(['contacts', 'organizations', 'deals'] as const)(
    'of %s are read by their types',
    async (record_type) => {
      const boss = await givenDefined(record_type);
      const bytes = [
        ['name', ...columns, 'custom_fields.free'].join(';'),
        'One;1;1.234,5;yes;31.12.2026;first;x, Y;7',
        'Two;;;;;;;',
        'Bad;ok;many;perhaps;31.02.2026;third;x,q;',
      ].join('\n');
      const settings = { record_type };
      for (const dry_run of [true, false]) {
        const { rows } = await importFile(workspace, boss, { bytes }, { ...settings, dry_run });
        const { error } = rows[2] ?? {};
        expect(rows.map(({ status }) => status)).toEqual(['created', 'created', 'failed']);
        const problems = Object.entries(error?.fields ?? {});
        expect(problems.map(([field, { code }]) => `${field} ${code}`).sort()).toEqual([
          'custom_fields.boolean invalid',
          'custom_fields.date invalid_format',
          'custom_fields.multi_select.1 invalid',
          'custom_fields.number invalid',
          'custom_fields.select invalid',
        ]);
      }
      const { records } = await keepers[record_type].list(boss, { sort: 'name', order: 'asc' });
      expect(records.map(({ custom_fields }) => custom_fields)).toEqual([
        {
          ...{ text: '1', number: 1234.5, boolean: true, date: '2026-12-31', select: 'a' },
          ...{ multi_select: ['x', 'y'], free: '7' },
        },
        {},
      ]);
    },
  );

  it('that are required or unique refuse the rows that lack or repeat them', async () => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    await givenField(boss, 'no', { type: 'number', required: true, unique: true });
    const bytes = 'name,custom_fields.no\nA,1\nB,\nC,1\n';
    const { rows } = await importFile(workspace, boss, { bytes });
    expect(rows.map(({ status }) => status).filter((status) => status === 'created')).toHaveLength(1);
    expect(rows[1]?.error?.fields).toMatchObject({ 'custom_fields.no': { code: 'required' } });
    expect(
      rows
        .map(({ error }) => error?.code)
        .filter(Boolean)
        .sort(),
    ).toEqual(['custom_field_taken', 'invalid_request']);
  });

  it('are read by the value of an option before the name of another one', async () => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    const sizes = [
      { value: 's', name: 'm' },
      { value: 'm', name: 'L' },
    ];
    await givenField(boss, 'size', { type: 'select', options: sizes });
    const bytes = 'name,custom_fields.size\nA,m\nB,l\nC,M\n';
    await importFile(workspace, boss, { bytes });
    const { records } = await keepers.contacts.list(boss, { sort: 'name' });
    expect(records.map(({ custom_fields }) => custom_fields)).toEqual([
      { size: 'm' },
      { size: 'm' },
      { size: 's' },
    ]);
  });

  longIt('with many options refuse all rows of a file, whose errors name the options', async () => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    const many = Array.from({ length: 100 }, (_, i) => ({ value: `${i} ${'o'.repeat(60)}` }));
    for (const key of ['a', 'b']) await givenField(boss, key, { type: 'select', options: many });
    const lines = Array.from({ length: 120 }, (_, i) => `Row ${i},none,none`);
    const bytes = `name,custom_fields.a,custom_fields.b\n${lines.join('\n')}\n`;
    const { import: done, rows } = await importFile(workspace, boss, { bytes });
    expect(done).toMatchObject({ status: 'complete', rows_read: 120, rows_failed: 120, error: null });
    expect(rows.map(({ number }) => number)).toEqual(lines.map((_, i) => i + 1));
    expect(await rowsOf(boss, done.id, { failed: 'true', limit: 7 })).toEqual(rows);
  });

  longIt('are columns of tables, which imports read again', async () => {
    const boss = await givenDefined('contacts');
    const values = { text: '=1;2', number: -2.5, boolean: false, date: '2026-12-31', select: 'b' };
    const custom_fields = { ...values, multi_select: ['y', 'x'], free: 'kept' };
    await keepers.contacts.create(boss, { name: 'One', external_id: 'x', custom_fields });
    await keepers.contacts.create(boss, { name: 'Two' });
    const { text } = await exportFile(workspace, boss, { record_type: 'contacts', format: 'csv' });
    const [header, one, two] = parse(text, { bom: true }) as string[][];
    expect(header?.slice(-columns.length)).toEqual(columns);
    expect(one?.slice(-columns.length)).toEqual(["'=1;2", '-2.5', 'false', '2026-12-31', 'b', 'y ::: x']);
    expect(two?.slice(-columns.length)).toEqual(columns.map(() => ''));
    expect(JSON.parse(one?.[header?.indexOf('custom_fields') ?? 0] ?? '')).toEqual(custom_fields);
    await keepers.contacts.upsert(boss, { external_id: 'x', custom_fields: { number: 1, boolean: true } });
    await importFile(workspace, boss, { bytes: text });
    const { records } = await keepers.contacts.list(boss, { external_id: 'x' });
    expect(records.map((record) => record.custom_fields)).toEqual([custom_fields]);
  });

  longIt('filter exports as they filter lists; without definitions a table is as before', async () => {
    const boss = await givenDefined('contacts', { indexed: true });
    await keepers.contacts.create(boss, { name: 'One', custom_fields: { select: 'a' } });
    await keepers.contacts.create(boss, { name: 'Two', custom_fields: { select: 'b' } });
    const draft = (filters: Record<string, string>) => ({
      ...{ record_type: 'contacts' as const, format: 'ndjson' as const },
      filters,
    });
    const filters = { 'custom_fields[select]': 'b' };
    expect(await codeOf(boss.api.createExport({ body: { export: draft(filters) } }))).toBe(
      '422 custom_field_indexing',
    );
    await bringAll(workspace, boss);
    const { text, export: done } = await exportFile(workspace, boss, draft(filters));
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(['Two']);
    expect(done.filters).toEqual(filters);
    for (const name of ['custom_fields[none]', 'custom_fields', 'custom_field[a]']) {
      const call = boss.api.createExport({ body: { export: draft({ [name]: 'x' }) } });
      expect(Object.values(await problemsOf(call))).toEqual(['invalid']);
    }
    const { id } = await createExport(boss, draft(filters));
    const [field] = (await boss.reader.listCustomFields()).body.custom_fields.filter(
      ({ key }) => key === 'select',
    );
    await boss.api.deleteCustomField({ params: { id: field?.id ?? '' } });
    await runExports(workspace);
    expect((await retrieveExport(boss, id)).error?.code).toBe('filters_gone');
    const { text: plain } = await exportFile(workspace, workspace.hank, {
      record_type: 'contacts',
      format: 'csv',
    });
    expect(plain).not.toContain('custom_fields.');
  });
});
