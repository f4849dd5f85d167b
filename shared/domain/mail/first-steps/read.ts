import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { MailImport } from '#shared/domain/mail/imports/import.ts';
import { listImports } from '#shared/domain/mail/imports/list.ts';
import { countThreads } from '#shared/domain/mail/threads/lists/count.ts';
import { inMailbox } from '#shared/domain/mail/threads/lists/criteria.ts';
import { planOf } from '#shared/domain/mail/threads/lists/plan.ts';
import { progressOf } from './initialization.ts';

/** Imports of a mailbox that are looked at, the newest. */
const IMPORTS = 100;
/** Threads of a mailbox are counted up to this number: that is one call. */
const THREADS = 5_000;

/** What others share does not count: it is not the user's mail. */
function ownMailboxes({ caller: { user } }: CallerContext): string[] {
  return Object.keys(user.mailboxes).filter((id) => user.mailboxes[id] === 'owner');
}

async function importsOf(ctx: CallerContext, limit: number): Promise<MailImport[]> {
  const each = ownMailboxes(ctx).map((id) => listImports(ctx.table, id, { limit, after: undefined }));
  return (await Promise.all(each)).flatMap(({ imports }) => imports);
}

/** A mailbox is connected once mail comes into it. */
export const isConnected = async (ctx: CallerContext) => (await importsOf(ctx, 1)).length > 0;

async function countOwnThreads(ctx: CallerContext): Promise<number> {
  const counts = await Promise.all(
    ownMailboxes(ctx).map((id) => countThreads(ctx, planOf([inMailbox(id)]), THREADS)),
  );
  return counts.reduce((all, { total }) => all + total, 0);
}

/** How far the caller's first mail has come, without its contacts. */
export async function readFirstSteps(ctx: CallerContext) {
  const [imports, threads_imported] = await Promise.all([importsOf(ctx, IMPORTS), countOwnThreads(ctx)]);
  return { ...progressOf(imports, ctx.caller.user.initialized_at), threads_imported };
}
