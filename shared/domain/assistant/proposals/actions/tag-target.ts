import * as z from 'zod';
import type { VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import { singular, type TaggableType, taggableTypes } from '#shared/domain/collaboration/records/types.ts';
import type { Display } from '#shared/domain/collaboration/replies/display.ts';
import type { TaggableRef } from '#shared/domain/collaboration/tags/taggings.ts';
import { uuid } from '#shared/values.ts';
import type { ActionType } from '../proposal.ts';
import { displayOfTag } from '../tag-display.ts';

/** What the two tag actions have in common. */

/** A record of one of the types. */
export function targetParams(types: readonly TaggableType[]) {
  return { record_type: z.enum(types.map(singular)), record_id: uuid };
}

type TargetParams = z.output<z.ZodObject<ReturnType<typeof targetParams>>>;

/** The same, for the assistant. */
export function targetHint(types: readonly TaggableType[]): string {
  return `record_type: ${types.map((type) => `"${singular(type)}"`).join(' or ')}, record_id`;
}

/** `contact` is a record of the type `contacts`. */
export function targetOf({ record_type, record_id }: TargetParams): TaggableRef {
  const type = taggableTypes.find((each) => singular(each) === record_type) as TaggableType;
  return { type, id: record_id };
}

const nameOf = ({ label }: VisibleRecord) => Object.values(label)[0] ?? null;

export function describeTag(action: ActionType, record: VisibleRecord, name: string): Display {
  return { ...displayOfTag(action, name), summary: nameOf(record) };
}
