import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImport, importFile, retrieveImport, rowsOf, runImports } from '../support/imports.ts';
import { longIt } from '../support/long.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Contacts from CSV files, from the upload to the records. */

describe('importing contacts', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const contactOf = async (id: string | null | undefined, user = workspace.ada) =>
    (await user.reader.retrieveContact({ params: { id: `${id}` } })).body.contact;

  const contactsAt = async (email_address: string) =>
    (await workspace.ada.reader.listContacts({ query: { email_address } })).body.collection.records;

  it('tries the file first, and stores it when it is applied', async () => {
    const { ada } = workspace;
    const bytes = 'Name,E-mail\nTried One,tried-1@x.example\nTried Two,not an address\n';
    const created = await createImport(ada, { bytes });
    expect(created).toMatchObject({
      ...{ status: 'pending', dry_run: true, format: 'csv', encoding: 'utf-8', delimiter: ',', percent: 0 },
      columns: [
        { name: 'Name', field: 'name', examples: ['Tried One', 'Tried Two'] },
        { name: 'E-mail', field: 'email_addresses', examples: ['tried-1@x.example', 'not an address'] },
      ],
    });
    await runImports(workspace);
    const tried = await retrieveImport(ada, created.id);
    expect(tried).toMatchObject({
      status: 'complete',
      rows_read: 2,
      rows_created: 1,
      rows_failed: 1,
      percent: 100,
    });
    expect(await rowsOf(ada, created.id)).toMatchObject([
      { number: 1, status: 'created', record_id: null, error: null },
      { number: 2, status: 'failed', error: { code: 'invalid_request' } },
    ]);
    expect(await contactsAt('tried-1@x.example')).toEqual([]);
    const { status, body } = await ada.api.applyImport({ params: { import_id: created.id }, body: {} });
    expect([status, body.import]).toMatchObject([202, { status: 'pending', dry_run: false, rows_read: 0 }]);
    expect(await rowsOf(ada, created.id)).toEqual([]);
    await runImports(workspace);
    const [first] = await rowsOf(ada, created.id);
    expect(await contactOf(first?.record_id)).toMatchObject({ name: 'Tried One', source: 'import' });
  });

  it('stores everything that a row says', async () => {
    const bytes = [
      'First Name;Last Name;E-mail 1 - Value;Work Email;Mobile;Website;Company;Job Title;Birthday;Street;City;Postal code;Country;Tags;Notes;Segment;External ID',
      '"Zoë";"Müller";zoe@x.example;"ZOE@work.example";+49 30 1234;x.example;Ferries Ltd;Head;24.12.1990;"Pier 3\nHall 2";Kiel;24103;DE;vip, north;"Two\nlines";A;e-1',
    ].join('\r\n');
    const { rows, import: done } = await importFile(
      workspace,
      workspace.ada,
      { bytes },
      { mapping: { Segment: 'custom_fields.segment' } },
    );
    expect([done.rows_created, rows[0]?.error]).toEqual([1, null]);
    expect(await contactOf(rows[0]?.record_id)).toMatchObject({
      name: 'Zoë Müller',
      email_addresses: [
        { email_address: 'zoe@x.example', label: null, primary: true },
        { email_address: 'zoe@work.example', label: 'work' },
      ],
      phone_numbers: [{ phone_number: '+49 30 1234', label: 'mobile' }],
      links: [{ url: 'https://x.example/' }],
      employments: [{ title: 'Head', organization: { name: 'Ferries Ltd' }, current: true }],
      birthday: '1990-12-24',
      addresses: [{ street: 'Pier 3, Hall 2', city: 'Kiel', postal_code: '24103', country: 'DE' }],
      description: 'Two\nlines',
      external_id: 'e-1',
      custom_fields: { segment: 'A' },
      source: 'import',
      tags: [{ name: 'north' }, { name: 'vip' }],
    });
  });

  longIt(
    'changes the contact with the external id of the row, adds to its lists and removes nothing',
    async () => {
      const { ada } = workspace;
      const header = 'name,email,phone,company,external id';
      const first = await importFile(workspace, ada, {
        bytes: `${header}\nIda,ida@x.example,+1 1,Alpha,e-9\n`,
      });
      const [row] = first.rows;
      const again = `${header}\nIda B,ida2@x.example,+1-1,alpha,e-9\n`;
      const second = await importFile(workspace, ada, { bytes: again });
      expect(second.rows).toMatchObject([{ status: 'updated', record_id: row?.record_id }]);
      expect(await contactOf(row?.record_id)).toMatchObject({
        name: 'Ida B',
        email_addresses: [
          { email_address: 'ida@x.example', primary: true },
          { email_address: 'ida2@x.example' },
        ],
        phone_numbers: [{ phone_number: '+1 1' }],
        employments: [{ organization: { name: 'Alpha' } }],
      });
      const third = await importFile(workspace, ada, { bytes: again });
      expect(third.import).toMatchObject({ rows_unchanged: 1, rows_updated: 0, rows_created: 0 });
    },
  );

  it('refuses rows as the operation does, and stores the rows before and after', async () => {
    const { ada, grace } = workspace;
    await grace.api.createContact({
      body: { contact: { name: 'Hidden', visibility: 'private', external_id: 'e-hidden' } },
    });
    await grace.api.createContact({
      body: { contact: { email_addresses: [{ email_address: 'seen@x.example' }] } },
    });
    const bytes = [
      'name,email,external_id,time_zone,birthday',
      'Before,before@x.example,,,',
      'Taken,seen@x.example,,,',
      'Hidden,,e-hidden,,',
      'Zone,,,Atlantis,31/31/2026',
      ',,,Europe/London,',
      'Twin,twin@x.example,,,',
      'Twin,twin@x.example,,,',
      'Nul\0,,,,',
      '',
      'After,after@x.example,,,',
    ].join('\n');
    const { import: done, rows } = await importFile(workspace, ada, { bytes });
    expect(done).toMatchObject({ status: 'complete', rows_read: 9, rows_created: 3, rows_failed: 6 });
    const codes = rows.map(({ number, status, error }) => [
      number,
      error ? error.code : status,
      ...Object.entries(error?.fields ?? {}).map(([field, { code }]) => `${field}: ${code}`),
    ]);
    expect(codes).toEqual([
      [1, 'created'],
      [2, 'email_address_taken', 'email_addresses.0.email_address: taken'],
      [3, 'external_id_taken', 'external_id: taken'],
      [4, 'invalid_request', 'birthday: invalid_format', 'time_zone: invalid_format'],
      [5, 'invalid_request', 'name: required'],
      [6, 'created'],
      [7, 'email_address_taken', 'email_addresses.0.email_address: taken'],
      [8, 'invalid_request', 'name: invalid_format'],
      [10, 'created'],
    ]);
    const failed = await rowsOf(ada, done.id, { failed: 'true', limit: 2 });
    expect(failed.map(({ number }) => number)).toEqual([2, 3, 4, 5, 7, 8]);
    expect(rows).toEqual(await rowsOf(ada, done.id, { limit: 2 }));
  });

  it('finds in a dry run what would be refused', async () => {
    const bytes = 'email,external_id\nseen@x.example,\nnew@x.example,e-hidden\nnew@x.example,\n';
    const { rows } = await importFile(workspace, workspace.ada, { bytes }, { dry_run: true });
    expect(rows.map(({ error }) => error?.code)).toEqual([
      'email_address_taken',
      'external_id_taken',
      undefined,
    ]);
    expect(await contactsAt('new@x.example')).toEqual([]);
  });

  it('reads back what exports make harmless, and takes formulas as text', async () => {
    const bytes = "name,phone\n'=cmd()|x,'+49 30\n=1+1,+49 31\n";
    const { rows } = await importFile(workspace, workspace.ada, { bytes });
    const found = await Promise.all(rows.map(({ record_id }) => contactOf(record_id)));
    expect(found).toMatchObject([
      { name: '=cmd()|x', phone_numbers: [{ phone_number: '+49 30' }] },
      { name: '=1+1', phone_numbers: [{ phone_number: '+49 31' }] },
    ]);
  });
});
