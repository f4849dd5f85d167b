import type { Context } from '#shared/context.ts';
import type { Label, Seer, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { pluralOf } from '#shared/domain/collaboration/records/types.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { NotificationEvent } from '../event.ts';
import { loadMarks } from '../moments.ts';
import { isListed, isRead, type Marks, type Notification } from '../notification.ts';
import { seers } from '../seers.ts';
import type { Due } from './job.ts';
import { type Message, messageOf } from './message.ts';

/** What is to be sent now: what the user still wants, may see, and has not read. */

export interface Told<D extends Due = Due> {
  due: D;
  user: User;
  message: Message;
}

type Wanted<D extends Due> = { due: D; notification: Notification; user: User };

/** Users who see the record of a notification; a proposal always, as it is their own. */
async function seersOf(
  ctx: Context<SeesRecords>,
  { record_type, id }: Notification['payload'],
  users: User[],
): Promise<Seer[]> {
  const type = pluralOf(String(record_type));
  if (type === undefined) return users.map((user) => ({ user }));
  return [...(await seers(ctx, { type, id: String(id) }, users)).values()];
}

/** By user: a digest has many of one. */
async function marksOf({ table }: Context, users: User[]): Promise<Map<string, Marks>> {
  const ids = [...new Set(users.map(({ id }) => id))];
  return new Map(await Promise.all(ids.map(async (id) => [id, await loadMarks(table, id)] as const)));
}

/** The notifications that are there, of users who are active and want them. */
async function wantedOf<D extends Due>(
  { table }: Context,
  { account_id, due, wants }: Sending<D>,
): Promise<{ wanted: Wanted<D>[]; names: Map<string, string> }> {
  const [account, notifications] = await Promise.all([
    table.get<Account>(keys.account(account_id)),
    table.getMany<Notification>(
      due.map(({ user_id, notification_id }) => keys.notification(user_id, notification_id)),
    ),
  ]);
  const actors = notifications.flatMap(({ prompting_user_id }) => prompting_user_id ?? []);
  const ids = [...new Set([...due.map(({ user_id }) => user_id), ...actors])];
  const users = new Map((await findUsers(table, account_id, ids)).map((user) => [user.id, user]));
  const byId = new Map(notifications.map((each) => [each.id, each]));
  const wanted = due.flatMap((each) => {
    const [notification, user] = [byId.get(each.notification_id), users.get(each.user_id)];
    if (!notification || user?.status !== 'active' || account?.status !== 'active') return [];
    return wants(user, notification.event) ? [{ due: each, notification, user }] : [];
  });
  return { wanted, names: new Map([...users.values()].map(({ id, name }) => [id, name])) };
}

export interface Sending<D extends Due> {
  account_id: string;
  due: D[];
  wants: (user: User, event: NotificationEvent) => boolean;
}

/** In the order in which they are due. */
export async function stillDue<D extends Due>(
  ctx: Context<SeesRecords>,
  sending: Sending<D>,
): Promise<Told<D>[]> {
  const { wanted, names } = await wantedOf(ctx, sending);
  const marks = await marksOf(
    ctx,
    wanted.map(({ user }) => user),
  );
  const fresh = wanted.filter(({ notification, user }) => {
    const own = marks.get(user.id) as Marks;
    return isListed(notification, own) && !isRead(notification, own);
  });
  const seen = await labelsOf(ctx, fresh);
  return fresh.flatMap(({ due, notification, user }) => {
    const seer = seen.get(recordOf(notification))?.get(user.id);
    if (!seer) return [];
    const who = names.get(notification.prompting_user_id ?? '');
    return [{ due, user, message: messageOf(notification, { who, label: seer.label }) }];
  });
}

const recordOf = ({ payload }: Notification) => `${payload.record_type} ${payload.id}`;

/** By record and user, what the user calls the record, if the user sees it. Those of one job are mostly about one. */
async function labelsOf(
  ctx: Context<SeesRecords>,
  fresh: Pick<Wanted<Due>, 'notification' | 'user'>[],
): Promise<Map<string, Map<string, { label: Label | undefined }>>> {
  const records = Map.groupBy(fresh, ({ notification }) => recordOf(notification));
  const found = [...records].map(async ([record, group]) => {
    const users = [...new Map(group.map(({ user }) => [user.id, user])).values()];
    const seeing = await seersOf(ctx, group[0]?.notification.payload ?? {}, users);
    return [record, new Map(seeing.map(({ user, label }) => [user.id, { label }]))] as const;
  });
  return new Map(await Promise.all(found));
}
