import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { update } from '#shared/table/table.ts';
import { handler } from '../../../functions/queues/export-records.ts';
import { createExport, exportFile, retrieveExport, runExports } from '../../support/exports.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { crashAfter } from '../../support/faults.ts';
import { importFile } from '../../support/imports.ts';
import { deliverMessages, openJobs } from '../../support/jobs.ts';
import { long, longIt } from '../../support/long.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** Exports, from the request to the file. */

describe('POST /exports', () => {
  let workspace: Workspace;
  let contact_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    const { ada, grace } = workspace;
    const contact = {
      ...{
        name: '=cmd()',
        first_name: 'Zoë',
        last_name: 'M; "x"',
        description: 'Two\nlines',
        birthday: '1990-12-24',
      },
      email_addresses: [{ email_address: 'zoe@x.example', label: 'work' }, { email_address: 'z@x.example' }],
      phone_numbers: [{ phone_number: '+49 30', label: 'mobile' }],
      addresses: [{ street: 'Pier 3', city: 'Kiel', country: 'DE' }],
      employments: [{ title: 'Head', organization: { name: 'Ferries' } }],
      custom_fields: { region: 'north' },
      external_id: 'x-1',
    };
    contact_id = (await ada.api.createContact({ body: { contact } })).body.contact.id;
    await ada.api.applyTag({
      params: { record_type: 'contacts', record_id: contact_id },
      body: { tag: { name: 'vip' } },
    });
    await grace.api.createContact({ body: { contact: { name: 'Secret', visibility: 'private' } } });
    await ada.api.createDeal({ body: { deal: { name: '@deal', amount: 5, currency: 'EUR' } } });
    await ada.api.createTask({ body: { task: { name: '-task', due_at: '2026-12-24T10:00:00Z' } } });
  });
  afterAll(() => workspace?.stop());

  it('202, then a file with what its user sees, and a link to it for five minutes', async () => {
    const { ada } = workspace;
    const created = await createExport(ada, { record_type: 'contacts', format: 'ndjson', filters: {} });
    expect(created).toMatchObject({ status: 'pending', url: null, size: null, records_written: 0 });
    expect((await retrieveExport(ada, created.id)).url).toBeNull();
    await runExports(workspace);
    const done = await retrieveExport(ada, created.id);
    expect(done).toMatchObject({ status: 'complete', records_written: 1, error: null });
    expect(Date.parse(`${done.url_expires_at}`) - Date.now()).toBeLessThanOrEqual(300_000);
    const response = await fetch(`${done.url}`);
    const text = await response.text();
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename=${done.file_name}`);
    expect(Buffer.byteLength(text)).toBe(done.size);
    const { records } = (await ada.reader.listContacts()).body.collection;
    expect(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toEqual(records);
  });

  longIt('csv: has nothing that a spreadsheet runs, and is read back by an import', async () => {
    const { ada } = workspace;
    const { text, headers } = await exportFile(workspace, ada, {
      record_type: 'contacts',
      format: 'csv',
      filters: null,
    });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [row] = parse(text, { columns: true, bom: true }) as Record<string, string>[];
    expect(row).toMatchObject({
      ...{ id: contact_id, name: "'=cmd()", last_name: 'M; "x"', description: 'Two\nlines', tags: 'vip' },
      ...{
        email_addresses: 'zoe@x.example ::: z@x.example',
        phone_numbers: "'+49 30",
        organization: 'Ferries',
      },
      ...{ city: 'Kiel', birthday: '1990-12-24', external_id: 'x-1', custom_fields: '{"region":"north"}' },
    });
    const { rows } = await importFile(workspace, ada, { bytes: text });
    expect(rows).toMatchObject([{ status: 'unchanged', record_id: contact_id }]);
  });

  it('csv: of deals and tasks as well', async () => {
    for (const [record_type, name] of [
      ['deals', "'@deal"],
      ['tasks', "'-task"],
      ['organizations', 'Ferries'],
    ] as const) {
      const { text } = await exportFile(workspace, workspace.ada, {
        record_type,
        format: 'csv',
        filters: {},
      });
      expect(parse(text, { columns: true, bom: true })).toMatchObject([{ name }]);
    }
  });

  it('vcard: is read back by an import', async () => {
    const { ada } = workspace;
    const { text, export: done } = await exportFile(workspace, ada, {
      record_type: 'contacts',
      format: 'vcard',
      filters: {},
    });
    expect([done.file_name.endsWith('.vcf'), text]).toEqual([true, expect.stringContaining('FN:=cmd()\r\n')]);
    const { import: again, rows } = await importFile(workspace, ada, { name: 'a.vcf', bytes: text });
    expect([again.rows_unchanged, rows[0]?.error]).toEqual([1, null]);
  });

  it('has what matches the filters of the list', async () => {
    const { ada } = workspace;
    const found = (filters: Record<string, string>) =>
      exportFile(workspace, ada, { record_type: 'contacts', format: 'ndjson', filters });
    expect((await found({ query: 'nobody' })).export.records_written).toBe(0);
    expect((await found({ email_address: 'ZOE@x.example', slice: 'mine' })).export.records_written).toBe(1);
  });

  it('400: for filters and formats that do not fit; 404 for what they name and the user does not see', async () => {
    const { ada } = workspace;
    const start = (draft: object) => ada.api.createExport({ body: { export: draft as never } });
    const contacts = { record_type: 'contacts', format: 'csv' };
    expect(await problemsOf(start({ ...contacts, filters: { slice: 'x', stage_id: 'y' } }))).toEqual({
      'filters.slice': 'invalid',
      'filters.stage_id': 'invalid',
    });
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]));
    expect(await problemsOf(start({ ...contacts, filters: many }))).toEqual({ filters: 'too_long' });
    const [name = ''] = Object.keys(
      await problemsOf(start({ ...contacts, filters: { ['k'.repeat(9_000)]: 'x' } })),
    );
    expect(name).toBe(`filters.${'k'.repeat(992)}`);
    expect(await problemsOf(start({ record_type: 'deals', format: 'vcard' }))).toEqual({ format: 'invalid' });
    expect(await problemsOf(start({}))).toEqual({ record_type: 'required', format: 'required' });
    const hidden = { organization_id: '0198c0de-0000-7000-8000-000000000001' };
    expect(await codeOf(start({ ...contacts, filters: hidden }))).toBe('404 record_not_found');
  });

  longIt('is written in parts by several runs, and whole after interruptions', async () => {
    const { linus, table } = workspace;
    const description = '語'.repeat(20_000);
    const lines = Array.from({ length: 110 }, (_, i) => `Part ${i},${description}`);
    await importFile(
      workspace,
      linus,
      { bytes: `name,notes\n${lines.join('\n')}\n` },
      { record_type: 'organizations' },
    );
    const filters = { query: 'part' };
    const { id } = await createExport(linus, { record_type: 'organizations', format: 'ndjson', filters });
    const deliver = async (remaining: number) => {
      const [job] = await openJobs(table, 'export-records').then((all) =>
        all.filter(({ body }) => body.export_id === id),
      );
      return job && deliverMessages(handler, [{ job_id: job.id, ...job.body }], remaining);
    };
    await deliver(1);
    expect(await retrieveExport(linus, id)).toMatchObject({ status: 'running', url: null });
    const [job] = (await openJobs(table, 'export-records')).filter(({ body }) => body.export_id === id);
    for (const call of long ? [1, 3, 5, 8, 12, 20] : [12]) {
      const crash = crashAfter(table, call);
      await deliverMessages(handler, [{ job_id: job?.id, ...job?.body }], 300_000);
      crash.remove();
    }
    await Promise.all([deliver(300_000), deliver(300_000)]);
    const done = await retrieveExport(linus, id);
    expect(done).toMatchObject({ status: 'complete', records_written: 110 });
    const text = await (await fetch(`${done.url}`)).text();
    expect(Buffer.byteLength(text)).toBe(done.size);
    const names = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).name);
    expect(new Set(names).size).toBe(110);
  });

  longIt('fails when its user is no longer active', async () => {
    const { grace, table } = workspace;
    const { id } = await createExport(grace, { record_type: 'tasks', format: 'csv', filters: {} });
    const key = { PK: grace.user.PK, SK: grace.user.SK };
    await table.transact([update(key, { set: { status: 'inactive' } } as never)]);
    await runExports(workspace);
    expect(await table.get(keys.recordExport(grace.user.id, id))).toMatchObject({
      status: 'failed',
      error: { code: 'user_inactive' },
    });
  });
});
