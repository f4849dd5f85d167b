import { wordList } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { File } from '#shared/domain/work/files/file.ts';
import { fileIndex } from '#shared/domain/work/files/lists.ts';
import { aroundFiles, seesLinkIn } from '#shared/domain/work/files/policy.ts';
import { searchableRecords } from '../records.ts';
import { titleIn } from '../texts.ts';

const words = [{ order: 'created_at', named: [wordList] }];

/** Files in the search over all records, without decorative ones. */
export const searchableFiles = searchableRecords<File>({
  index: ({ ports }) => fileIndex(ports.records),
  titles: words,
  texts: [],
  seesLink: (ctx) => seesLinkIn(ctx, aroundFiles(ctx)),
  hit: ({ name, file_name, created_at, decorative }) => ({
    label: name,
    moment: Date.parse(created_at),
    texts: decorative ? [] : [...titleIn('name', name), ...titleIn('file_name', file_name)],
  }),
  sublabels: async (_, files) => files.map(({ name, file_name }) => (file_name === name ? null : file_name)),
});
