import { momentIn } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { Row } from '#shared/domain/mail/threads/lists/criteria.ts';
import type { Plan } from '#shared/domain/mail/threads/lists/plan.ts';
import { type ThreadPosting, threadOf } from '#shared/domain/mail/threads/lists/postings.ts';
import { readLists } from '#shared/domain/mail/threads/lists/read.ts';
import { readRows } from '#shared/domain/mail/threads/lists/rows.ts';
import { pageSize } from '#shared/domain/platform/postings/page.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import { timeRank } from '#shared/table/keys.ts';
import { refOf, type Shown } from '../entry.ts';
import { candidateOf, type Range, type Source, type TimelineContext } from '../source.ts';

/** Threads in the caller's own lists: each stands once, at its last message. */

const shownThread = ({ entry }: Row): Shown => ({
  ...{ id: entry.thread_id, type: 'thread', user_id: null, agent: null, detail: {} },
  ref: refOf({ type: 'threads', id: entry.thread_id, label: { subject: entry.subject } }),
  count: entry.message_count,
});

export function threadsOf(ctx: TimelineContext, plan: Plan, { upto, wanted }: Range): Source<ThreadPosting> {
  const clauses = narrowed(plan.clauses, { before: timeRank(upto + 1) });
  const found = readLists(ctx, clauses, {
    page_size: pageSize(clauses, wanted),
    max_steps: Number.POSITIVE_INFINITY,
  });
  return {
    async next() {
      const posting = await found.next();
      return posting && candidateOf(threadOf(posting.SK), momentIn(posting.SK, 0), posting);
    },
    async show(candidates) {
      const rows = await readRows(
        ctx,
        candidates.map(({ item }) => item),
        'rank',
      );
      return new Map(rows.filter(plan.keeps).map((row) => [row.entry.thread_id, shownThread(row)]));
    },
  };
}
