import type { Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import type { RecordKinds, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { accessThrough } from '#shared/domain/collaboration/records/policy.ts';
import { linkedFiles } from './dependent.ts';
import type { File } from './file.ts';
import { fileIndex } from './lists.ts';
import { aroundFiles, requireEditableFile, seesLinkIn } from './policy.ts';
import { rowsOf } from './writes.ts';

/** `kinds` are those of the records that files are linked to. */
export const restorableFiles = (kinds: RecordKinds): Restorable<File, SeesRecords> => ({
  index: fileIndex(kinds),
  links: [{ kind: 'link', linked: linkedFiles(kinds) }],
  mayDelete: async (ctx, file) =>
    (await accessThrough(file, ctx.caller.user, seesLinkIn(ctx, aroundFiles(ctx)))) === 'edit',
  require: requireEditableFile,
  back: async (_, after) => ({ after, writes: rowsOf(undefined, after) }),
});
