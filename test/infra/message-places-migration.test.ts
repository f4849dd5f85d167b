import { afterAll, beforeAll, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { messagePlaces } from '../../infra/migrations/0005-message-places.ts';
import { createDraft, messagesBySnippet } from '../support/drafts.ts';
import { codeOf } from '../support/failures.ts';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ files: true, own_table: true });
});
afterAll(() => workspace.stop());

it('messages from before can be answered', async () => {
  const { ada, table } = workspace;
  const mailbox_id = await givenMailbox(workspace, ada);
  await importMail(workspace, ada, mailbox_id, [eml({ id: 'first@x', text: 'First.' })]);
  const in_reply_to_message_id = (await messagesBySnippet(ada)).get('First.')?.id ?? '';
  const key = keys.messagePlace(in_reply_to_message_id);
  const place = await table.get<Item>(key);
  await table.delete(key);
  const body = { draft: { in_reply_to_message_id } };
  expect(await codeOf(ada.api.createDraft({ body }))).toBe('404 record_not_found');
  for (let run = 0; run < 2; run++) {
    let cursor: unknown;
    do cursor = await messagePlaces.step(table, cursor);
    while (cursor !== undefined);
  }
  expect(await table.get<Item>(key)).toEqual(place);
  expect((await createDraft(ada, body.draft)).thread_id).not.toBeNull();
});
