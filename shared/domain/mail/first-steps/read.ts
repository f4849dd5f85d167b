import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { MailImport } from '#shared/domain/mail/imports/import.ts';
import { listImports } from '#shared/domain/mail/imports/list.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { ownedIds, readOwned } from '#shared/domain/mail/mailboxes/owned.ts';
import { countThreads } from '#shared/domain/mail/threads/lists/count.ts';
import { inMailbox } from '#shared/domain/mail/threads/lists/criteria.ts';
import { planOf } from '#shared/domain/mail/threads/lists/plan.ts';
import { areSilent, comesMail, progressOf, type Sources } from './initialization.ts';

/** Imports of a mailbox that are looked at, the newest. */
const IMPORTS = 100;
/** Threads of a mailbox are counted up to this number: that is one call. */
const THREADS = 5_000;

/** What others share does not count: it is not the user's mail. */
async function importsOf(ctx: CallerContext, limit: number): Promise<MailImport[]> {
  const each = ownedIds(ctx.caller.user).map((id) => listImports(ctx.table, id, { limit, after: undefined }));
  return (await Promise.all(each)).flatMap(({ imports }) => imports);
}

async function connectedOf(ctx: CallerContext): Promise<Mailbox[]> {
  const found = await readOwned(ctx.table, ctx.caller.user);
  return found.filter(({ mail_server }) => mail_server !== undefined);
}

async function sourcesOf(ctx: CallerContext, limit: number): Promise<Sources> {
  const [imports, mailboxes] = await Promise.all([importsOf(ctx, limit), connectedOf(ctx)]);
  return { imports, mailboxes };
}

/** A mailbox is connected once mail comes into it, or it has a server. */
export async function connectionOf(ctx: CallerContext): Promise<{ connected: boolean; silent: boolean }> {
  const sources = await sourcesOf(ctx, 1);
  return { connected: comesMail(sources), silent: areSilent(sources) };
}

async function countOwnThreads(ctx: CallerContext): Promise<number> {
  const counts = await Promise.all(
    ownedIds(ctx.caller.user).map((id) => countThreads(ctx, planOf([inMailbox(id)]), THREADS)),
  );
  return counts.reduce((all, { total }) => all + total, 0);
}

/** How far the caller's first mail has come, without its contacts. */
export async function readFirstSteps(ctx: CallerContext) {
  const [sources, threads_imported] = await Promise.all([sourcesOf(ctx, IMPORTS), countOwnThreads(ctx)]);
  return { ...progressOf(sources, ctx.caller.user.initialized_at), threads_imported };
}
