import type { Context } from '#shared/context.ts';
import { type Change, commit } from '#shared/domain/platform/jobs/commit.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';

/** What a request makes of a record: operations commit it, proposals show it first. */
export interface Plan<R> {
  /** Undefined for a new record. */
  before: R | undefined;
  /** The same object as `before` when nothing changes. */
  after: R;
  /** The writes, of another `after` if one is given. They fail when another request changes what the plan follows from. */
  change(after?: R): Promise<Change>;
}

/** Plans and commits; again, when another request was faster. */
export function commitPlan<P extends Plan<unknown>>(ctx: Context, plan: () => Promise<P>): Promise<P> {
  return retryOnConflict(async () => {
    const planned = await plan();
    await commit(ctx, await planned.change());
    return planned;
  });
}
