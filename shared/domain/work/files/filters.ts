import * as z from 'zod';
import { amongIds, type Criterion, inList } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import {
  momentFilters,
  recordCriteria,
  recordFilters,
  sliceCriteria,
} from '#shared/domain/collaboration/record-lists/filters.ts';
import type { Granted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { linkedIds } from '#shared/domain/collaboration/record-lists/linked.ts';
import { ownerList } from '#shared/domain/collaboration/record-lists/listed.ts';
import { namedRecords } from '#shared/domain/collaboration/record-lists/named.ts';
import { anyOf, several, valuesOf } from '#shared/domain/collaboration/record-lists/several.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { LinkableType } from '#shared/domain/collaboration/records/types.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { flag, requiredText, uuid } from '#shared/values.ts';
import { ownersOf } from './carriers.ts';
import type { File } from './file.ts';
import { fileIndex, fileLists, isLinkedTo, listedExtension, mediaType } from './lists.ts';
import type { Around } from './policy.ts';

/** The query parameters that list and count files (docs/specification/records.md, "Lists of files"). */

/** The default first; descending when no order is sent. */
export const fileSorts = ['created_at', 'name', 'size', 'updated_at'] as const;

const slices = ['all', 'mine', 'uploads', 'attachments', 'shared', 'recent'] as const;

type Slice = (typeof slices)[number];

const linkedTo = (name: string) =>
  several(uuid)
    .optional()
    .meta({ description: `Files that are linked to one of these ${name}s` });

export const fileFilters = {
  slice: z.enum(slices).optional().meta({
    description:
      'mine: uploaded by the user, or received in one of their mailboxes; uploads; attachments: received with mail; shared: with the user or one of their groups; recent: written within 14 days',
  }),
  query: recordFilters.query,
  extension: requiredText(255)
    .transform((sent) => sent.replace(/^\./, '').toLowerCase())
    .optional()
    .meta({ description: 'Files whose names end so, in any case', example: 'pdf' }),
  content_type: requiredText(255)
    .transform(mediaType)
    .optional()
    .meta({ description: 'Files of this media type', example: 'application/pdf' }),
  contact_id: linkedTo('contact'),
  organization_id: linkedTo('organization'),
  deal_id: linkedTo('deal'),
  thread_id: uuid.optional().meta({ description: 'Files that came with the mails of this thread' }),
  calendar_event_id: linkedTo('event'),
  space_id: linkedTo('space'),
  tags: recordFilters.tags,
  tag_operator: recordFilters.tag_operator,
  include_decorative: flag.optional().meta({
    description: 'Also signature logos, tracking pixels and images of quoted mails; false when omitted',
  }),
  ...momentFilters,
};

export type FileFilters = z.output<z.ZodObject<typeof fileFilters>>;

const linkFilters = {
  contact_id: 'contacts',
  organization_id: 'organizations',
  deal_id: 'deals',
  calendar_event_id: 'calendar_events',
  space_id: 'spaces',
} as const satisfies Partial<Record<keyof FileFilters, LinkableType>>;

async function linkCriteria(filters: FileFilters, { around, granted }: Known): Promise<Criterion<File>[]> {
  const sent = (Object.keys(linkFilters) as (keyof typeof linkFilters)[]).flatMap((field) => {
    const ids = filters[field];
    return ids === undefined ? [] : [valuesOf(ids).map((id) => ({ type: linkFilters[field], id }))];
  });
  return Promise.all(
    sent.map(async (refs) => anyOf((await namedRecords(around.linked, refs, granted)).map(isLinkedTo))),
  );
}

/** The files of a thread are few enough to be read together, and only those of mails that the caller sees. */
async function threadCriteria(
  { table, caller: { user }, ports }: CallerContext<SeesRecords>,
  id: string | undefined,
  { around, granted }: Known,
): Promise<Criterion<File>[]> {
  if (id === undefined) return [];
  const [ref = { type: 'threads', id }] = await namedRecords(
    around.linked,
    [{ type: 'threads', id }],
    granted,
  );
  const [ids, openings] = await Promise.all([
    linkedIds(table, ref, 'files'),
    ports.records.threads?.mail?.openings(table, [ref.id]),
  ]);
  const open = openings?.get(ref.id)?.(user) ?? new Set<string>();
  const isHere = ({ carriers = [] }: File) =>
    carriers.some(
      ({ thread_id, mailbox_ids }) => thread_id === ref.id && mailbox_ids.some((each) => open.has(each)),
    );
  return [amongIds(ids, isHere)];
}

function ofSlice(slice: Slice | undefined, ctx: CallerContext, index: RecordIndex<File>): Criterion<File>[] {
  const { user } = ctx.caller;
  switch (slice) {
    case 'mine':
      return [inList(ownerList(user.id), (file) => ownersOf(file).includes(user.id))];
    case 'uploads':
      return [inList(fileLists.from('upload'), ({ source }) => source === 'upload')];
    case 'attachments':
      return [inList(fileLists.from('attachment'), ({ source }) => source === 'attachment')];
    default:
      return sliceCriteria(slice, ctx, { index });
  }
}

function ownCriteria({ extension, content_type, include_decorative }: FileFilters): Criterion<File>[] {
  const all: Criterion<File>[] = [];
  if (include_decorative) all.push({ aside: true, keeps: () => true });
  else all.push({ keeps: ({ decorative }) => !decorative });
  if (extension !== undefined)
    all.push({
      ...inList<File>(
        fileLists.extension(listedExtension(extension)),
        (file) => file.extension === extension,
      ),
      ...(listedExtension(extension) === extension ? {} : { rough: true as const }),
    });
  if (content_type !== undefined)
    all.push(
      inList(
        fileLists.content_type(content_type),
        (file) => file.content_type !== null && mediaType(file.content_type) === content_type,
      ),
    );
  return all;
}

interface Known {
  around: Around;
  tags: Promise<TagDictionary>;
  granted?: Granted;
}

/** 404 for a record that the caller does not see, and for a tag that the account does not have. */
export async function fileCriteria(
  ctx: CallerContext<SeesRecords>,
  filters: FileFilters,
  known: Known,
): Promise<Criterion<File>[]> {
  const index = fileIndex(ctx.ports.records);
  const found = await Promise.all([
    linkCriteria(filters, known),
    threadCriteria(ctx, filters.thread_id, known),
    ...recordCriteria<File>(ctx, filters, { index, ...known }),
  ]);
  return [...ofSlice(filters.slice, ctx, index), ...ownCriteria(filters), ...found.flat()];
}
