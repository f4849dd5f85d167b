import * as z from 'zod';
import { commentSchema } from '#shared/domain/collaboration/comments/comment.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { linksOfType } from '#shared/domain/collaboration/records/link-fields.ts';
import { type OwnedItem, presentShares, shareSchema } from '#shared/domain/collaboration/shares/share.ts';
import { tagSchema } from '#shared/domain/collaboration/tags/tag.ts';
import {
  apart,
  derived,
  fixed,
  given,
  optional,
  required,
  resource,
  type StoredFields,
} from '#shared/resource.ts';
import { timestamp, uuid } from '#shared/values.ts';
import type { Carrier } from './carriers.ts';
import { written } from './written.ts';

const id = uuid.nullable();
const ids = z.array(uuid);
const text = z.string().nullable();

const files = resource('File', {
  id: given(uuid),
  user_id: apart(given(id)),
  name: optional(written.name, z.string().meta({ example: 'Offer' })),
  file_name: given(text.meta({ example: 'offer.pdf' })),
  extension: given(text.meta({ example: 'pdf' })),
  content_type: given(text.meta({ example: 'application/pdf' })),
  description: optional(written.description, text.meta({ example: 'Signed by both.' })),
  size: given(z.int().nullable().meta({ example: 48_213 })),
  source: given(z.enum(['upload', 'attachment', 'draft', 'agent'])),
  decorative: given(z.boolean()),
  attachment_ids: derived(ids),
  thread_ids: derived(ids),
  contact_ids: apart(optional(written.contact_ids, ids)),
  organization_ids: apart(optional(written.organization_ids, ids)),
  deal_ids: apart(optional(written.deal_ids, ids)),
  space_ids: apart(optional(written.space_ids, ids)),
  calendar_event_id: apart(optional(written.calendar_event_id, id)),
  visibility: optional(written.visibility, z.enum(['account', 'private', 'linked'])),
  tags: derived(z.array(tagSchema).nullable()),
  shares: derived(z.array(shareSchema).nullable()),
  comments: derived(z.array(commentSchema).nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/** A file as stored; its bytes are in the bucket. */
export type File = Omit<OwnedItem, 'user_id'> &
  StoredFields<typeof files.fields> & {
    /** Who uploaded it; null for what came with mail. */
    user_id: string | null;
    /** The records that users linked it to. */
    links: RecordRef[];
    /** The mails that have it. */
    carriers?: Carrier[];
    /** The mailboxes that received it, with their owners. */
    mailboxes?: Record<string, string>;
    carried?: number;
    /** More mails had it than it names. */
    crowded?: true;
  };

/** docs/specification/records.md, "Files". */
export const fileSchema = files.response;

export type FileRecord = z.input<typeof fileSchema>;

const upload_id = fixed(required(written.upload_id, uuid));

export const fileDraft = files.strictDraft.extend({ upload_id: upload_id.draft }).meta({ id: 'FileDraft' });

export type FileDraft = z.output<typeof files.draft> & { upload_id: string };

/** Fields that are not sent stay, `null` clears, and an array replaces the whole array. */
export const fileChanges = files.changes.extend({ upload_id: upload_id.change }).meta({ id: 'FileChanges' });

export type FileChanges = z.output<typeof files.writableChanges>;

/** What the caller sees of a file besides its own fields. */
export type FileExtras = Pick<FileRecord, 'user_id' | 'tags' | 'comments'> & {
  /** The links and carriers that the caller sees. */
  links: RecordRef[];
  carriers: Carrier[];
};

const distinct = (some: string[]) => [...new Set(some)];

/** As the caller sees it: what is hidden is left out. */
export function fileRecord(file: File, { links, carriers, ...extras }: FileExtras): FileRecord {
  return files.present(file, {
    attachment_ids: carriers.map(({ attachment_id }) => attachment_id),
    thread_ids: distinct(carriers.map(({ thread_id }) => thread_id)),
    contact_ids: linksOfType(links, 'contacts'),
    organization_ids: linksOfType(links, 'organizations'),
    deal_ids: linksOfType(links, 'deals'),
    space_ids: linksOfType(links, 'spaces'),
    calendar_event_id: linksOfType(links, 'calendar_events')[0] ?? null,
    shares: presentShares(file.shares, { type: 'files', id: file.id }),
    ...extras,
  });
}
