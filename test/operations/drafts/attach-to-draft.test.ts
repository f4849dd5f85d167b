import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Draft } from '#shared/domain/mail/drafts/draft.ts';
import { keys } from '#shared/table/keys.ts';
import { Dice } from '../../support/dice.ts';
import { createDraft, readDraft } from '../../support/drafts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenFile, givenUpload } from '../../support/files.ts';
import { longIt } from '../../support/long.ts';
import { givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('attachments of drafts', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let mailbox_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
    mailbox_id = await givenMailbox(workspace, ada);
  });
  afterAll(() => workspace.stop());

  const given = () => createDraft(ada, { mailbox_id });
  const attach = (draft_id: string, attachment: object, user = ada) =>
    user.api.attachToDraft({ params: { draft_id }, body: { attachment } });
  const detach = (draft_id: string, id: string, user = ada) =>
    user.api.detachFromDraft({ params: { draft_id, id } });

  it('an upload becomes a private file of the user, which stays when it is detached', async () => {
    const { id } = await given();
    const upload = await givenUpload(ada, { name: 'offer.pdf', bytes: 'An offer.' });
    const { draft } = (await attach(id, { upload_id: upload.id })).body;
    const [attachment] = draft.attachments;
    expect(attachment).toMatchObject({
      file: { file_name: 'offer.pdf', extension: 'pdf' },
      content_type: 'application/pdf',
      size: 9,
      inline: false,
      content_id: expect.stringMatching(/@drafts$/),
    });
    const file_id = attachment?.file_id ?? '';
    const { file } = (await ada.reader.retrieveFile({ params: { id: file_id } })).body;
    expect(file).toMatchObject({ source: 'draft', visibility: 'private', user_id: ada.user.id });
    expect(await readDraft(ada, id)).toEqual(draft);
    expect((await detach(id, attachment?.id ?? '')).status).toBe(204);
    expect((await readDraft(ada, id)).attachments).toEqual([]);
    expect((await ada.reader.retrieveFile({ params: { id: file_id } })).status).toBe(200);
  });

  it('a file that the user sees can be attached, more than once', async () => {
    const { id } = await given();
    const file = await givenFile(workspace, grace, { visibility: 'account', size: 7 });
    await attach(id, { file_id: file.id });
    const { draft } = (await attach(id, { file_id: file.id.toUpperCase() })).body;
    expect(draft.attachments.map(({ file_id, size }) => [file_id, size])).toEqual([
      [file.id, 7],
      [file.id, 7],
    ]);
    expect(new Set(draft.attachments.map((each) => each.id)).size).toBe(2);
  });

  it('404: hidden files, uploads of others, drafts of others, unknown attachments', async () => {
    const { id } = await given();
    const hidden = await givenFile(workspace, grace);
    const upload = await givenUpload(grace);
    const own = await givenFile(workspace, ada);
    for (const call of [
      () => attach(id, { file_id: hidden.id }),
      () => attach(id, { upload_id: upload.id }),
      () => attach(id, { file_id: randomUUID() }),
      () => attach(id, { file_id: own.id }, grace),
      () => attach(randomUUID(), { file_id: own.id }),
      () => detach(id, randomUUID()),
    ])
      expect(await codeOf(call())).toBe('404 record_not_found');
    expect((await readDraft(ada, id)).attachments).toEqual([]);
  });

  it('400: neither or both', async () => {
    const { id } = await given();
    const both = { upload_id: randomUUID(), file_id: randomUUID() };
    expect(await problemsOf(attach(id, {}))).toEqual({ upload_id: 'required' });
    expect(await problemsOf(attach(id, both))).toEqual({ file_id: 'invalid' });
    expect(await problemsOf(attach(id, { file_id: 'x' }))).toEqual({ file_id: 'invalid_format' });
  });

  it('413 above 25 MB in all, before the upload is used', async () => {
    const { id } = await given();
    const large = await givenFile(workspace, ada, { size: 25 * 1024 * 1024 });
    await attach(id, { file_id: large.id });
    const upload = await givenUpload(ada);
    expect(await codeOf(attach(id, { upload_id: upload.id }))).toBe('413 file_too_large');
    expect(await codeOf(attach(id, { file_id: (await givenFile(workspace, ada)).id }))).toBe(
      '413 file_too_large',
    );
    expect((await attach((await given()).id, { upload_id: upload.id })).status).toBe(200);
    expect(await codeOf(attach(id, { upload_id: upload.id }))).toBe('409 upload_already_used');
  });

  longIt('400 when text and names of files exceed an item, and the draft stays as it was', async () => {
    const dice = new Dice(7);
    const body = Array.from({ length: 100_000 }, () => String.fromCodePoint(dice.int(0x20000, 0x24000))).join(
      '',
    );
    const addresses = Array.from({ length: 500 }, (_, i) => `${'a'.repeat(50)}${i}@x.example`);
    const sizes = [90_000, 80_000, 70_000, 60_000, 50_000];
    let draft: { id: string } | undefined;
    for (const size of sizes)
      draft ??= await createDraft(ada, {
        ...{ mailbox_id, bcc_email_addresses: addresses },
        body: body.slice(0, 2 * size),
      }).catch(() => undefined);
    const { id } = draft as { id: string };
    const file = await givenFile(workspace, ada, { file_name: '語'.repeat(250), size: 1 });
    const outcomes: string[] = [];
    for (let i = 0; i < 100 && outcomes.at(-1) !== '400 invalid_request'; i++)
      outcomes.push(
        await attach(id, { file_id: file.id }).then(
          ({ status }) => `${status}`,
          ({ status, code }) => `${status} ${code}`,
        ),
      );
    expect([...new Set(outcomes)]).toEqual(['200', '400 invalid_request']);
    expect((await readDraft(ada, id)).attachments).toHaveLength(outcomes.length - 1);
  });

  it('422 once the draft is queued: the upload can still be used', async () => {
    const { id } = await given();
    const file = await givenFile(workspace, ada);
    const { draft } = (await attach(id, { file_id: file.id })).body;
    await workspace.table.update<Draft>(keys.draft(ada.user.id, id), { set: { status: 'queued' } });
    const upload = await givenUpload(ada);
    expect(await codeOf(attach(id, { upload_id: upload.id }))).toBe('422 draft_not_editable');
    expect(await codeOf(detach(id, draft.attachments[0]?.id ?? ''))).toBe('422 draft_not_editable');
    expect((await ada.reader.retrieveUpload({ params: { id: upload.id } })).body.upload.status).toBe(
      'received',
    );
  });
});
