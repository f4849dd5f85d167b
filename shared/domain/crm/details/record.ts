import * as z from 'zod';
import { commentSchema } from '#shared/domain/collaboration/comments/comment.ts';
import { customFields } from '#shared/domain/collaboration/records/custom-fields.ts';
import { type OwnedItem, shareSchema } from '#shared/domain/collaboration/shares/share.ts';
import { tagSchema } from '#shared/domain/collaboration/tags/tag.ts';
import { taskSchema } from '#shared/domain/work/tasks/task.ts';
import { apart, derived, given, optional } from '#shared/resource.ts';
import { timestamp } from '#shared/values.ts';
import { shown } from './fields.ts';
import type { HasMemberships } from './memberships.ts';
import { line } from './written.ts';

/** What contacts and organizations have besides the fields of their own (docs/specification/records.md). */

const visibility = z.enum(['account', 'private']);

/** Who sees it, and what integrations keep of it. */
export const commonFields = {
  visibility: optional(visibility.optional(), visibility),
  external_id: optional(line, shown('crm-1024')),
  custom_fields: apart(
    optional(
      customFields.meta({ example: { customer_number: 'A-1024', newsletter: true } }).nullish(),
      z.record(z.string(), z.unknown()).meta({ example: { customer_number: 'A-1024' } }),
    ),
  ),
};

/** What people attach to it. */
export const attachedFields = {
  tags: derived(z.array(tagSchema).nullable()),
  shares: derived(z.array(shareSchema).nullable()),
  comments: derived(z.array(commentSchema).nullable()),
  tasks: derived(z.array(taskSchema).nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
};

/** Attributes of its item that are not fields, or are stored in another form than shown. */
export type StoredRecord = OwnedItem &
  HasMemberships & {
    /** As JSON text: JSON numbers may exceed DynamoDB's range. */
    custom_fields: string;
  };
