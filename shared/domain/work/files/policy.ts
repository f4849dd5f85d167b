import type { RecordKinds, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import {
  loadRecord,
  requireEditable,
  requireRecord,
  requireVisibilityRight,
  type SeesLink,
} from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { isInMailboxOf, OpenMail } from './carriers.ts';
import type { File, FileChanges } from './file.ts';

/** Who sees a file: by a visibility, a share, a record that it is linked to, or a mail that has it. */

/** What a request reads of the records around files, each once. */
export interface Around {
  linked: LinkedRecords;
  mail: OpenMail;
}

export const aroundFiles = (ctx: CallerContext<SeesRecords>): Around => ({
  linked: new LinkedRecords(ctx),
  mail: new OpenMail(ctx.table, ctx.ports.records),
});

/** Whether the caller sees a record that the file is linked to, or a mail that has it. */
export const seesLinkIn =
  ({ caller: { user } }: CallerContext, { linked, mail }: Around): SeesLink<File> =>
  async (file) => {
    if (isInMailboxOf(file, user)) return true;
    const ways = [linked.seesAny(file.links), mail.of(file, user).then(({ length }) => length > 0)];
    return (await Promise.all(ways)).includes(true);
  };

/** The same with the kinds of the linked records, for what the kinds themselves are made of. */
export const seesLinkAmong =
  (records: RecordKinds) =>
  (ctx: CallerContext): SeesLink<File> =>
    seesLinkIn(ctx, aroundFiles({ ...ctx, ports: { records } }));

/** A file that the caller sees. */
export const loadFile = (ctx: CallerContext, id: string, seesLink: SeesLink<File>) =>
  loadRecord<File>(ctx, 'files', id, seesLink);

/** 404 for any other. */
export const requireFile = (ctx: CallerContext<SeesRecords>, id: string, around = aroundFiles(ctx)) =>
  requireRecord<File>(ctx, 'files', id, seesLinkIn(ctx, around));

/** A file that the caller may change. 404 for a hidden one, 403 for one that the caller may only look at. */
export const requireEditableFile = (ctx: CallerContext<SeesRecords>, id: string, around = aroundFiles(ctx)) =>
  requireEditable<File>(ctx, 'files', id, seesLinkIn(ctx, around));

/** 400 `not_allowed` for a file of mail, which is seen by who reads the mail; 403 for who may not make it private. */
export function requireVisibilityOf(
  { caller }: CallerContext,
  file: File,
  { visibility }: Pick<FileChanges, 'visibility'>,
): void {
  if (visibility === undefined) return;
  if (file.source === 'attachment')
    throw invalidField('visibility', 'not_allowed', 'is that of the mail which has the file');
  requireVisibilityRight(file, caller.user, visibility);
}

/** 422 `file_is_attachment`: it exists as long as a mail has it. */
export function requireRemovable({ source }: File): void {
  if (source === 'attachment') throw new ApiError('file_is_attachment');
}
