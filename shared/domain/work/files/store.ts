import { begun } from '#shared/begun.ts';
import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';
import { presentTags, type TagDictionary, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ownerFor } from './carriers.ts';
import { type File, type FileRecord, fileRecord } from './file.ts';
import { type Around, aroundFiles, requireFile } from './policy.ts';

/** Files as the caller sees them. */

interface Known {
  around: Around;
  tags: Promise<TagDictionary>;
}

/** For files that are not read yet: the tags of the account are read at once, with the first records. */
export function knownAroundFiles(
  ctx: CallerContext<SeesRecords>,
  tags = tagDictionary(ctx.table, ctx.caller.account.id),
): Known {
  return { around: aroundFiles(ctx), tags: begun(tags) };
}

/** As in lists: without comments. */
export async function presentFile(
  { caller: { user } }: CallerContext,
  file: File,
  { around: { linked, mail }, tags }: Known,
): Promise<FileRecord> {
  const [found, carriers, dictionary] = await Promise.all([
    Promise.all(file.links.map((link) => linked.find(link))),
    mail.of(file, user),
    tags,
  ]);
  return fileRecord(file, {
    user_id: ownerFor(file, user, carriers),
    links: file.links.filter((_, i) => found[i] !== undefined),
    carriers,
    tags: presentTags(dictionary, file.tag_ids ?? []),
    comments: null,
  });
}

/** With its comments. 404 for a file that the caller does not see. */
export async function retrieveWholeFile(
  ctx: CallerContext<SeesRecords & ShowsReplies>,
  id: string,
): Promise<FileRecord> {
  const known = knownAroundFiles(ctx);
  const file = await requireFile(ctx, id, known.around);
  const [record, comments] = await Promise.all([
    presentFile(ctx, file, known),
    listRecordComments(ctx, { type: 'files', id: file.id }),
  ]);
  return { ...record, comments };
}
