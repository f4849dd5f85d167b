import { mapAtOnce } from '#shared/at-once.ts';
import type { Context } from '#shared/context.ts';
import { seers } from '#shared/domain/collaboration/notifications/seers.ts';
import type { RecordRef, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { allowed } from '#shared/domain/identity/sockets/allowed.ts';
import { messageText } from '#shared/domain/identity/sockets/message.ts';
import type { ReachesSockets } from '#shared/domain/identity/sockets/port.ts';
import { closeAll, type Delivered, sendAll } from '#shared/domain/identity/sockets/send.ts';
import type { Socket } from '#shared/domain/identity/sockets/socket.ts';
import { findActiveUsers } from '#shared/domain/identity/users/store.ts';
import { type Listening, listening } from './listening.ts';
import type { Audience, News } from './news.ts';
import { notificationMessages } from './notifications.ts';
import { Messages } from './told.ts';

type Ctx = Context<SeesRecords & ReachesSockets>;

type Of<Kind extends News['kind']> = Extract<News, { kind: Kind }>;

const ofKind = <Kind extends News['kind']>(news: readonly News[], kind: Kind) =>
  news.filter((each): each is Of<Kind> => each.kind === kind);

/** Users whose notifications are counted at a time. */
const AT_ONCE = 25;

/** The connected users of an account. Who sees a record is asked once. */
async function audienceOf(ctx: Ctx, account: string, user_ids: string[]): Promise<Audience> {
  const users = await findActiveUsers(ctx.table, account, user_ids);
  const asked = new Map<string, Promise<ReadonlySet<string>>>();
  const ask = async (record: RecordRef) => new Set((await seers(ctx, record, users)).keys());
  return {
    table: ctx.table,
    users,
    seers(record) {
      const name = `${record.type} ${record.id}`;
      const answer = asked.get(name) ?? ask(record);
      asked.set(name, answer);
      return answer;
    },
  };
}

/** Closes the sockets that may not stay open, and returns the others. */
async function closeEnded(ctx: Ctx, sockets: readonly Socket[], ended: Of<'ended'>[]): Promise<Socket[]> {
  const concerns = ({ account_id, user_id }: Socket) =>
    ended.some((each) => each.account_id === account_id && (each.user_id ?? user_id) === user_id);
  const asked = sockets.filter(concerns);
  if (asked.length === 0) return [...sockets];
  const staying = new Set(await allowed(ctx.table, asked, ctx.clock()));
  const closing = new Set(asked.filter((socket) => !staying.has(socket)));
  await closeAll(ctx, [...closing]);
  return sockets.filter((socket) => !closing.has(socket));
}

async function shared(ctx: Ctx, news: Of<'shared'>[], heard: Listening, messages: Messages): Promise<void> {
  const byAccount = Map.groupBy(news, (each) => heard.accountOf(each));
  await Promise.all(
    [...byAccount].map(async ([account, all]) => {
      const user_ids = heard.users(account);
      if (account === undefined || user_ids.length === 0) return;
      const audience = await audienceOf(ctx, account, user_ids);
      for (const { type, about, told } of all)
        for (const [user_id, changed] of await told(audience)) messages.change(user_id, type, about, changed);
    }),
  );
}

async function notified(ctx: Ctx, news: Of<'notifications'>[], heard: Listening, messages: Messages) {
  const byUser = [...Map.groupBy(news, ({ user_id }) => user_id)].filter(([id]) => heard.has(id));
  await mapAtOnce(byUser, AT_ONCE, async ([user_id, all]) => {
    const created = all.flatMap((each) => each.created ?? []);
    messages.add(user_id, await notificationMessages(ctx.table, user_id, created));
  });
}

/**
 * Tells those who listen what changed. One query for each account says who does; without anybody, that is all. Repeating it
 * sends again, which does no harm: clients read what they are told of.
 */
export async function publish(ctx: Ctx, news: readonly News[]): Promise<Delivered> {
  const heard = await listening(ctx.table, news);
  if (heard.sockets.length === 0) return { sent: 0, failed: 0, gone: 0 };
  const sockets = await closeEnded(ctx, heard.sockets, ofKind(news, 'ended'));
  const messages = new Messages();
  for (const { user_id, type, about, changed } of ofKind(news, 'own'))
    if (heard.has(user_id)) messages.change(user_id, type, about, changed);
  await shared(ctx, ofKind(news, 'shared'), heard, messages);
  await notified(ctx, ofKind(news, 'notifications'), heard, messages);
  const letters = sockets.map((socket) => ({
    socket,
    texts: messages.of(socket.user_id).map((message) => messageText(message, ctx.now)),
  }));
  return sendAll(
    ctx,
    letters.filter(({ texts }) => texts.length > 0),
  );
}
