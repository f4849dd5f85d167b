import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import type { FileRecord } from '#shared/domain/work/files/file.ts';
import { retrieveWholeFile } from '#shared/domain/work/files/store.ts';
import type { FileRow, FileView } from '../other-views.ts';
import { commentViews, shorten } from './comments.ts';
import { give, type ToolContext } from './context.ts';

const DESCRIPTION = 2_000;
const ABOUT = 20;

export function fileRow({
  id,
  name,
  file_name,
  content_type,
  size,
  source,
  created_at,
}: FileRecord): FileRow {
  return { id, name, file_name, content_type, size, source, created_at };
}

const linksOf = (file: FileRecord) => [
  ...file.contact_ids.map((id) => ({ type: 'contacts' as const, id })),
  ...file.organization_ids.map((id) => ({ type: 'organizations' as const, id })),
  ...file.deal_ids.map((id) => ({ type: 'deals' as const, id })),
  ...file.thread_ids.map((id) => ({ type: 'threads' as const, id })),
  ...file.space_ids.map((id) => ({ type: 'spaces' as const, id })),
  ...(file.calendar_event_id ? [{ type: 'calendar_events' as const, id: file.calendar_event_id }] : []),
];

/** 404 for a file that the user does not see. What is in it is not read. */
export async function readFile(ctx: ToolContext, id: string): Promise<FileView> {
  const file = await retrieveWholeFile(ctx, id);
  const linked = new LinkedRecords(ctx);
  const about = linksOf(file)
    .slice(0, ABOUT)
    .map(async (ref) => {
      const [name = null] = Object.values((await linked.find(ref))?.label ?? {});
      return name === null ? [] : [{ type: singular(ref.type) as string, id: ref.id, name }];
    });
  const seen = (await Promise.all(about)).flat();
  give(ctx, 'file', [file.id]);
  for (const ref of seen) give(ctx, ref.type, [ref.id]);
  return {
    ...fileRow(file),
    type: 'file',
    description: file.description && shorten(file.description, DESCRIPTION),
    about: seen,
    tags: (file.tags ?? []).map(({ name }) => name),
    comments: await commentViews(ctx, file.comments ?? []),
  };
}
