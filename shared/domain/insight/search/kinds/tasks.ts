import { textList, wordList } from '#shared/domain/collaboration/record-lists/entry.ts';
import { momentIn } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { FIRST_UNDATED, taskIndex } from '#shared/domain/work/tasks/lists.ts';
import { seesLinkIn } from '#shared/domain/work/tasks/policy.ts';
import type { Task } from '#shared/domain/work/tasks/task.ts';
import { externalIds } from '#shared/domain/work/tasks/writes.ts';
import { searchableRecords } from '../records.ts';
import { idIn, titleIn } from '../texts.ts';
import { holderOf } from './external-id.ts';

/** Tasks are found by when they are due, and those without a date by when they were created: two parts of one order. */
const dated = { order: 'due', part: { before: FIRST_UNDATED } };
const undated = {
  order: 'due',
  part: { from: FIRST_UNDATED },
  momentOf: (rank: string) => momentIn(rank, FIRST_UNDATED.length + 1),
};

const parts = [dated, undated];

/** Tasks in the search over all records. */
export const searchableTasks = searchableRecords<Task>({
  index: ({ ports }) => taskIndex(ports.records),
  titles: parts.map((part) => ({ ...part, named: [wordList] })),
  texts: parts.map((part) => ({ ...part, named: [wordList, textList] })),
  seesLink: (ctx) => seesLinkIn(new LinkedRecords(ctx)),
  holders: (ctx, query) => holderOf(ctx, externalIds, query),
  hit: ({ name, external_id, due_at, created_at }) => ({
    label: name,
    moment: Date.parse(due_at ?? created_at),
    texts: [...titleIn('name', name), ...idIn('external_id', external_id)],
  }),
});
