import type { ShareRequest } from '#shared/domain/collaboration/share-requests/request.ts';
import { newRequestWrites } from '#shared/domain/collaboration/share-requests/writes.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { idFrom, newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import type { World } from './cases.ts';

/** Requests for access between the user of the world and a colleague, whose key the benches do not have. */

async function people({ api, table, contact_id, colleague_id }: World) {
  const record = await table.get<{ account_id: string }>(keys.record('contacts', contact_id));
  const account_id = record?.account_id ?? '';
  return { account_id, own: (await api.retrieveCurrentUser()).body.user.id, colleague_id };
}

/** A thread in a mailbox of the colleague that tells of it. */
export async function hiddenThread(world: World): Promise<string> {
  const { table, mailbox_id } = world;
  const { account_id, colleague_id } = await people(world);
  const id = idFrom('a mailbox that tells', colleague_id);
  const { mail_server, calendar_server, ...own } = (await table.get<Mailbox>(
    keys.mailbox(account_id, mailbox_id),
  )) as Mailbox;
  const hidden = { ...own, ...keys.mailbox(account_id, id), id, user_id: colleague_id, shares: {} };
  await table.put({ ...hidden, share_metadata: true });
  await table.update<User>(keys.user(account_id, colleague_id), { set: { mailboxes: at(id, 'owner') } });
  const thread = newId(new Date());
  const item: Thread = {
    ...keys.record('threads', thread),
    ...{ id: thread, account_id, version: 1 },
    ...{ mailbox_ids: new Set([id]), owner_ids: new Set([colleague_id]) },
  };
  await table.put(item);
  return thread;
}

/** A pending request of one of them to the other, for the thread of the world. */
export async function givenRequest(world: World, by: 'own' | 'colleague'): Promise<string> {
  const { table, thread_id: record_id } = world;
  const { account_id, own, colleague_id } = await people(world);
  const [from, to] = by === 'own' ? [own, colleague_id] : [colleague_id, own];
  const now = new Date();
  const id = newId(now);
  const request: ShareRequest = {
    ...keys.shareRequest(id),
    ...{ id, account_id, user_id: from, approver_user_ids: [to] },
    ...{ record_type: 'thread', record_id, message: null, status: 'pending' },
    ...{ answered_by_user_id: null, answered_at: null, share_id: null },
    ...{ created_at: now.toISOString(), updated_at: null },
  };
  await table.delete(keys.askedFor(from, 'threads', record_id));
  await table.transact(newRequestWrites(request, undefined));
  return id;
}
