import type { AgentRun } from '#shared/domain/assistant/agents/agent-run.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { mayAsk } from '#shared/domain/identity/users/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { isAmong } from '#shared/domain/mail/correspondents/met.ts';
import { inChargeOf } from '#shared/domain/mail/mailboxes/in-charge.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { isNobody } from '#shared/domain/mail/mime/machines.ts';
import type { MailAddress } from '#shared/domain/mail/mime/message.ts';
import { categoryOf, isAutomatic, ownAddresses, visibleMessages } from '#shared/domain/mail/threads/entry.ts';
import { type Message, mailboxesOf } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import type { Look } from './look.ts';

/** The mail that agents look at (docs/specification/assistant.md, "Tasks and deals from mail"). */

const DAY = 86_400_000;
/** An import brings years of mail. Less than a look is remembered, so that none is forgotten too early. */
const RECENT = 14 * DAY;
/** Messages of a thread, the newest: the first run after an import finds several. */
const MOST = 3;

export interface NewMail {
  message: Message;
  /** Who wrote it. */
  from: MailAddress;
  /** Whom it is for: the owner of the mailbox, or who took over from the owner. */
  caller: Caller;
  /** What that user sees of the thread up to the message, oldest first. */
  until: Message[];
  /** Whether an agent has found something that is not proposed yet. */
  is_found: boolean;
}

/** In the first mailbox: the clock of the sender does not count. */
export const arrivedAt = ({ received_in, sent }: Message): number => {
  const moments = Object.values(received_in ?? {});
  return moments.length === 0 ? sent : Math.min(...moments);
};

const isByPerson = ({ from }: Message): boolean => from !== null && !isNobody(from.email_address);

/** As the user's mailboxes and their provider say. */
const isPersonal = (message: Message, owned: Mailbox[]): boolean =>
  !isAutomatic(message, owned) && (categoryOf(message, owned) ?? 'personal') === 'personal';

const ownedBy = (user: User, mailboxes: Mailbox[]) => mailboxes.filter(({ user_id }) => user_id === user.id);

/** The owners of the mailboxes that a message reached, with these and their own addresses, and who is in charge of them. */
function ownersOf(message: Message, { users, mailboxes }: AgentRun['members']) {
  return users.flatMap((user) => {
    const owned = ownedBy(user, mailboxes);
    const reached = owned.find(({ id }) => mailboxesOf(message).has(id));
    const reader = reached && inChargeOf(reached, users);
    return reader ? [{ reader, owned, own: ownAddresses(user, owned) }] : [];
  });
}

/**
 * Who reads for the owner whom a message names first as a recipient, unless it is not personal in that owner's mailboxes, or one
 * of them wrote it, or wrote something since.
 */
function readerOf(message: Message, { members, messages }: AgentRun) {
  const owners = ownersOf(message, members);
  for (const { email_address } of message.to) {
    const owner = owners.find(({ own }) => isAmong(own, email_address));
    if (!owner) continue;
    const { reader, owned, own } = owner;
    const theirs = new Set([...own, ...ownAddresses(reader, ownedBy(reader, members.mailboxes))]);
    const later = messages.slice(messages.indexOf(message));
    const answered = later.some(({ from }) => from !== null && isAmong(theirs, from.email_address));
    return answered || !isPersonal(message, owned) ? undefined : reader;
  }
  return undefined;
}

/** By the id of the message, when the agent has looked at it. */
async function looksAt({ ctx, configuration }: AgentRun, messages: Message[]): Promise<Map<string, Look>> {
  const keyOf = ({ id }: Message) => keys.look(id, configuration.agent_slug);
  const looks = await ctx.table.getMany<Look>(messages.map(keyOf));
  return new Map(looks.map((look) => [look.message_id, look]));
}

/** Oldest first; without what the agent has done with. */
export async function newMail(run: AgentRun): Promise<NewMail[]> {
  const { ctx, thread, messages } = run;
  const since = ctx.clock().getTime() - RECENT;
  const candidates = messages
    .filter((message) => isByPerson(message) && arrivedAt(message) > since && readerOf(message, run))
    .slice(-MOST);
  if (candidates.length === 0) return [];
  const [found, looks]: [NewMail[], Map<string, Look>] = [[], await looksAt(run, candidates)];
  for (const message of candidates) {
    const look = looks.get(message.id);
    // What was found follows from what that user sees: another one may see other mail.
    const user_id = look?.drafts.length === 0 ? undefined : (look?.user_id ?? readerOf(message, run)?.id);
    const caller = user_id && (await callerFor(ctx.table, { ...thread, user_id }));
    if (!caller || !message.from || !mayAsk(caller, ctx.config)) continue;
    const until = visibleMessages(caller.user, thread, messages.slice(0, messages.indexOf(message) + 1));
    found.push({ message, from: message.from, caller, until, is_found: look !== undefined });
  }
  return found;
}

/** Whether somebody of the account wrote it. */
export function isByColleague({ from }: NewMail, { users, mailboxes }: AgentRun['members']): boolean {
  return users.some((user) => isAmong(ownAddresses(user, ownedBy(user, mailboxes)), from.email_address));
}
