import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** docs/specification/records.md, "Contacts". */
describe('addresses of roles', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace.stop());

  const create = (name: string, ...addresses: string[]) =>
    workspace.ada.api.createContact({
      body: { contact: { name, email_addresses: addresses.map((email_address) => ({ email_address })) } },
    });
  const given = async (...fields: Parameters<typeof create>) => (await create(...fields)).body.contact.id;

  it.each([
    ['info@acme.example'],
    ['sales@acme.example'],
    ['SUPPORT@acme.example'],
    ['office+berlin@acme.example'],
    ['rechnung@acme.example'],
  ])('%s may be on several contacts, at once too', async (address) => {
    const ids = [
      await given('One', address),
      ...(await Promise.all([given('Two', address), given('Three', address)])),
    ];
    const query = { email_address: address };
    const { records } = (await workspace.ada.reader.listContacts({ query })).body.collection;
    expect(records.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it.each([['informant@acme.example'], ['ada.info@acme.example'], ['it-ada@acme.example']])(
    '%s is somebody’s own',
    async (address) => {
      await given('One', address);
      expect(await codeOf(create('Two', address))).toBe('409 email_address_taken');
      expect(await codeOf(create('Three', 'info@other.example', address))).toBe('409 email_address_taken');
    },
  );

  it('twice on one contact are refused as ever', async () => {
    expect(await codeOf(create('Twice', 'info@twice.example', 'info@twice.example'))).toBe(
      '400 invalid_request',
    );
  });

  it('are no sign of a duplicate, beside others that are', async () => {
    const one = await given('Ada Byron', 'team@pairs.example');
    await given('Grace Hopper', 'team@pairs.example');
    const twin = await given('Ada Byron', 'team@pairs.example');
    const params = { contact_id: one };
    const { records } = (await workspace.ada.reader.listDuplicates({ params })).body.collection;
    expect(records.map(({ contact, reasons }) => [contact.id, reasons])).toEqual([[twin, ['similar_name']]]);
  });

  longIt('match the threads of both, also when one contact leaves', async () => {
    const { ada } = workspace;
    const address = 'contact@mail.example';
    const ids = [await given('One', address), await given('Two', address)] as const;
    const mailbox_id = await givenMailbox(workspace, ada);
    await importMail(workspace, ada, mailbox_id, [eml({ id: 'role@x', from: address, subject: 'Ferries' })]);
    const threads = async (contact_id: string) =>
      (await ada.reader.listThreads({ query: { contact_id } })).body.collection.records.map(
        ({ subject }) => subject,
      );
    expect([await threads(ids[0]), await threads(ids[1])]).toEqual([['Ferries'], ['Ferries']]);
    await ada.api.deleteContact({ params: { id: ids[0] } });
    expect(await threads(ids[1])).toEqual(['Ferries']);
  });
});
