import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../support/imports.ts';
import { longIt } from '../support/long.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Organizations, deals and tasks from CSV files, and contacts from vCards. */

describe('importing', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  longIt('organizations: what a row says, then what is new', async () => {
    const { ada } = workspace;
    const header =
      'Company name,Company Domain Name,Industry,Number of Employees,Phone,Website,Tags,Record ID';
    const row =
      'Ferries,https://www.Ferries.example/about,Shipping,"1,200",+44 1,ferries.example,harbour,o-1';
    const given = (bytes: string) =>
      importFile(workspace, ada, { name: 'o.csv', bytes }, { record_type: 'organizations' });
    const { rows } = await given(`${header}\n${row}\nNo name\n,x.example\n`);
    expect(rows.map(({ status, error }) => [status, error?.fields])).toMatchObject([
      ['created', undefined],
      ['created', undefined],
      ['failed', { name: { code: 'required' } }],
    ]);
    const params = { id: `${rows[0]?.record_id}` };
    expect((await ada.reader.retrieveOrganization({ params })).body.organization).toMatchObject({
      ...{ name: 'Ferries', domains: ['ferries.example'], industry: 'Shipping', employee_count: 1200 },
      ...{ website_url: 'https://ferries.example/', external_id: 'o-1', tags: [{ name: 'harbour' }] },
    });
    const again = await given(`name,domain,external id\nFerries,ferries.example; boats.example,o-1\n`);
    expect(again.rows).toMatchObject([{ status: 'updated', record_id: params.id }]);
    const { organization } = (await ada.reader.retrieveOrganization({ params })).body;
    expect(organization.domains).toEqual(['ferries.example', 'boats.example']);
    const taken = await given('name,domain\nOther,boats.example\n');
    expect(taken.rows).toMatchObject([{ error: { code: 'domain_taken' } }]);
  });

  longIt('deals: in stages and with people that rows name', async () => {
    const { ada, grace } = workspace;
    const { contact } = (
      await ada.api.createContact({
        body: { contact: { email_addresses: [{ email_address: 'buyer@x.example' }] } },
      })
    ).body;
    const { organization } = (
      await ada.api.createOrganization({ body: { organization: { name: 'Buyers' } } })
    ).body;
    const hidden = (
      await grace.api.createOrganization({
        body: { organization: { name: 'Secret', visibility: 'private' } },
      })
    ).body.organization;
    const { pipeline } = (await ada.api.createPipeline({ body: { pipeline: { name: 'Boats' } } })).body;
    const bytes = [
      'Deal Name;Deal Stage;Amount;Close Date;Deal owner;Associated Company;Contact;Organization ID;Pipeline',
      `Fleet;qualified;"12.500,50 €";31.03.2027;grace@acme.example;buyers;buyer@x.example;;`,
      `Wrong stage;nowhere;;;;;;;`,
      `Wrong person;;;;;;nobody@x.example;;`,
      `Wrong owner;;;;hank@globex.example;;;;`,
      `Hidden;;;;;;;${hidden.id};`,
      `Hidden by name;;;;;secret;;;`,
      `Elsewhere;;;;;;;;nowhere`,
    ].join('\n');
    const settings = { record_type: 'deals' as const, pipeline_id: pipeline.id };
    const { rows } = await importFile(workspace, ada, { name: 'd.csv', bytes }, settings);
    expect(rows.map(({ error }) => error && [error.code, ...Object.keys(error.fields)])).toEqual([
      null,
      ['invalid_request', 'stage'],
      ['invalid_request', 'contacts.0'],
      ['invalid_request', 'assigned_user'],
      ['record_not_found'],
      ['invalid_request', 'organization'],
      ['invalid_request', 'pipeline'],
    ]);
    const { deal } = (await ada.reader.retrieveDeal({ params: { id: `${rows[0]?.record_id}` } })).body;
    expect(deal).toMatchObject({
      ...{ name: 'Fleet', amount: 12_500.5, currency: 'EUR', expected_close_on: '2027-03-31' },
      ...{ pipeline_id: pipeline.id, stage: { name: 'Qualified' }, assigned_user_id: grace.user.id },
      ...{ organization: { id: organization.id }, contact_ids: [contact.id] },
    });
  });

  it('deals: adds people to those of the deal, and hidden ones stay', async () => {
    const { ada, grace } = workspace;
    const person = async (email_address: string, user = ada, visibility: 'account' | 'private' = 'account') =>
      (
        await user.api.createContact({
          body: { contact: { email_addresses: [{ email_address }], visibility } },
        })
      ).body.contact.id;
    const [shown, secret, added] = [
      await person('shown@d.example'),
      await person('secret@d.example', grace, 'private'),
      await person('added@d.example'),
    ];
    const { deal } = (
      await grace.api.createDeal({
        body: { deal: { name: 'Shared', external_id: 'd-1', contact_ids: [shown, secret] } },
      })
    ).body;
    const bytes = 'name,contacts,external_id\nShared,added@d.example,d-1\n';
    const { rows } = await importFile(workspace, ada, { bytes }, { record_type: 'deals' });
    expect(rows).toMatchObject([{ status: 'updated', record_id: deal.id }]);
    const found = (await grace.reader.retrieveDeal({ params: { id: deal.id } })).body.deal;
    expect(found.contact_ids).toEqual([shown, added, secret]);
  });

  longIt('tasks: due days are whole days, and clock times those of the user', async () => {
    const { grace } = workspace;
    const bytes = [
      'Task,Due Date,Assigned to,Priority,Notes,External ID',
      'Whole day,2026-12-24,Ada Lovelace,High,<p>Hi</p><script>x</script>,t-1',
      'Clock,12/24/2026 9:30 AM,,medium,,',
      'Moment,2026-12-24T10:00:00Z,,,,',
      'Never,someday,,,,',
    ].join('\n');
    const { rows } = await importFile(workspace, grace, { bytes }, { record_type: 'tasks' });
    expect(rows[3]).toMatchObject({
      status: 'failed',
      error: { fields: { due_at: { code: 'invalid_format' } } },
    });
    const found = await Promise.all(
      rows
        .slice(0, 3)
        .map(
          async ({ record_id }) =>
            (await grace.reader.retrieveTask({ params: { id: `${record_id}` } })).body.task,
        ),
    );
    expect(found).toMatchObject([
      { all_day: true, assigned_user_id: workspace.ada.user.id, priority: 'high', description: '<p>Hi</p>' },
      { all_day: false, due_at: '2026-12-24T14:30:00.000Z', priority: 'normal' },
      { all_day: false, due_at: '2026-12-24T10:00:00.000Z' },
    ]);
    const again = await importFile(
      workspace,
      grace,
      { bytes: 'name,external_id\nWhole day,t-1\n' },
      { record_type: 'tasks' },
    );
    expect(again.rows).toMatchObject([{ status: 'unchanged', record_id: rows[0]?.record_id }]);
  });

  longIt('vCards: a card is a contact, whose UID is its external id', async () => {
    const card = (name: string, more: string[]) =>
      ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, ...more, 'END:VCARD', ''].join('\r\n');
    const bytes = [
      card('Card One', ['EMAIL;TYPE=WORK:one@card.example', 'ORG:Cards', 'CATEGORIES:deck', 'UID:card-1']),
      card('Bad', ['EMAIL:none']),
      'junk between\r\n',
      card('Card Two', ['PHOTO;ENCODING=b:AAAA', 'TEL;TYPE=CELL:+1']),
    ].join('');
    const given = () => importFile(workspace, workspace.ada, { name: 'people.vcf', bytes });
    const { import: done, rows } = await given();
    expect(done).toMatchObject({
      format: 'vcard',
      delimiter: null,
      columns: [],
      rows_created: 2,
      rows_failed: 1,
    });
    expect(rows[1]?.error?.fields).toMatchObject({
      'email_addresses.0.email_address': { code: 'invalid_format' },
    });
    const { contact } = (
      await workspace.ada.reader.retrieveContact({ params: { id: `${rows[0]?.record_id}` } })
    ).body;
    expect(contact).toMatchObject({ name: 'Card One', external_id: 'card-1', tags: [{ name: 'deck' }] });
    expect((await given()).rows).toMatchObject([
      { status: 'unchanged' },
      { status: 'failed' },
      { status: 'created' },
    ]);
  });
});
