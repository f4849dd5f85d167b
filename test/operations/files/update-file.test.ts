import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenFile } from '../../support/files.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { withFiles } from '../../support/mail-files.ts';
import { givenContact } from '../../support/proposals.ts';
import { runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /files/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace?.stop());

  const send = (user: TestUser, id: string, file: object) =>
    user.api.updateFile({ params: { id }, body: { file } as never });
  const change = async (user: TestUser, id: string, file: object) => (await send(user, id, file)).body.file;
  const count = async (query: object, user = ada) =>
    (await user.reader.countFiles({ query })).body.count.total;
  const share = (id: string, user: TestUser, access: 'view' | 'edit' = 'view') =>
    ada.api.createShare({
      params: { record_type: 'files', record_id: id },
      body: { share: { user_id: user.user.id, access } },
    });

  it('200: what is sent, in lists at once; the rest stays, and nothing is written for nothing', async () => {
    const { id } = await givenFile(workspace, ada, { description: 'Old' });
    const named = await change(ada, id, { name: 'Contract' });
    expect(named).toMatchObject({ name: 'Contract', description: 'Old', file_name: 'offer.pdf' });
    expect(named.updated_at).toEqual(expect.any(String));
    expect([await count({ query: 'contract' }), await count({ query: 'offer contract' })]).toEqual([1, 1]);
    expect(await change(ada, id, { name: 'Contract' })).toEqual(named);
    expect(await change(ada, id, { description: null })).toMatchObject({ description: null });
  });

  longIt(
    '200: replaces links, but those that the user does not see; a deleted record ends its link',
    async () => {
      const [open, other] = [await givenContact(ada), await givenContact(ada)];
      const hidden = await givenContact(ada, { visibility: 'private' });
      const { id } = await givenFile(workspace, ada);
      await change(ada, id, { contact_ids: [open.id, hidden.id], visibility: 'linked' });
      expect((await change(linus, id, { contact_ids: [other.id] })).contact_ids).toEqual([other.id]);
      const both = (await ada.reader.retrieveFile({ params: { id } })).body.file;
      expect(both.contact_ids.toSorted()).toEqual([other.id, hidden.id].toSorted());
      expect(await count({ contact_id: open.id })).toBe(0);
      await ada.api.deleteContact({ params: { id: other.id } });
      await runRemovals(workspace);
      expect((await ada.reader.retrieveFile({ params: { id } })).body.file.contact_ids).toEqual([hidden.id]);
      expect(await codeOf(linus.reader.retrieveFile({ params: { id } }))).toBe('404 record_not_found');
      expect(await codeOf(send(ada, id, { contact_ids: [randomUUID()] }))).toBe('404 record_not_found');
    },
  );

  longIt('403 and 404: by whom it is shared with to edit; private by the owner and admins only', async () => {
    const { id } = await givenFile(workspace, ada);
    expect(await codeOf(send(linus, id, { name: 'x' }))).toBe('404 record_not_found');
    await share(id, linus);
    expect(await codeOf(send(linus, id, { name: 'x' }))).toBe('403 permission_denied');
    await share(id, grace, 'edit');
    expect(await change(grace, id, { visibility: 'account' })).toMatchObject({ visibility: 'account' });
    expect(await codeOf(send(grace, id, { visibility: 'private' }))).toBe('403 permission_denied');
    expect(await change(linus, id, { name: 'y' })).toMatchObject({ name: 'y' });
  });

  longIt(
    'a file of a mail has a name and links, but no visibility, and stays while a mail has it',
    async () => {
      const mailbox = await givenMailbox(workspace, ada);
      const files = withFiles('', [{ name: 'berth.txt', content: 'berth' }]);
      await importMail(workspace, ada, mailbox, [eml({ id: 'berth@x', ...files })]);
      const query = { slice: 'attachments' as const };
      const [file] = (await ada.reader.listFiles({ query })).body.collection.records;
      const id = file?.id ?? '';
      for (const visibility of ['account', 'linked', 'private'])
        expect(await problemsOf(send(ada, id, { visibility }))).toEqual({ visibility: 'not_allowed' });
      expect(await codeOf(ada.api.deleteFile({ params: { id } }))).toBe('422 file_is_attachment');
      const contact = await givenContact(ada);
      expect(await change(ada, id, { name: 'Berth plan', contact_ids: [contact.id] })).toMatchObject({
        ...{ name: 'Berth plan', file_name: 'berth.txt', contact_ids: [contact.id] },
      });
      // Who sees the contact sees its files, but not the mail.
      const seen = (await linus.reader.retrieveFile({ params: { id } })).body.file;
      expect(seen).toMatchObject({ attachment_ids: [], thread_ids: [], user_id: null });
      await importMail(workspace, ada, mailbox, [eml({ id: 'berth-2@x', subject: 'More', ...files })]);
      const twice = (await ada.reader.retrieveFile({ params: { id } })).body.file;
      expect(twice).toMatchObject({ name: 'Berth plan', contact_ids: [contact.id] });
      expect(twice.attachment_ids).toHaveLength(2);
    },
  );

  it.each<[object, Record<string, string>]>([
    [{ name: '' }, { name: 'required' }],
    [{ name: null }, { name: 'invalid' }],
    [{ deal_ids: null }, { deal_ids: 'invalid' }],
    [{ upload_id: randomUUID() }, { upload_id: 'not_allowed' }],
    [
      { id: randomUUID(), thread_ids: [] },
      { id: 'not_allowed', thread_ids: 'not_allowed' },
    ],
  ])('400: %j', async (file, problems) => {
    const { id } = await givenFile(workspace, ada);
    expect(await problemsOf(send(ada, id, file))).toEqual(problems);
  });
});
