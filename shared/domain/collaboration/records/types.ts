import type { RecordType } from '#shared/table/keys.ts';

/** Record types with comments (docs/specification/records.md, "Record types"). */
export const commentableTypes = [
  'contacts',
  'organizations',
  'deals',
  'threads',
  'files',
  'calendar_events',
  'spaces',
] as const satisfies readonly RecordType[];

/** Record types with tags (docs/specification/records.md, "Record types"). */
export const taggableTypes = [
  'contacts',
  'organizations',
  'deals',
  'threads',
  'files',
  'calendar_events',
] as const satisfies readonly RecordType[];

export type TaggableType = (typeof taggableTypes)[number];

/** Record types with shares: those with a `*_shared` event (docs/specification/records.md, "Record types"). */
export const shareableTypes = [
  'contacts',
  'organizations',
  'deals',
  'threads',
  'files',
  'calendar_events',
  'spaces',
  'tasks',
  'milestones',
  'mailboxes',
] as const satisfies readonly RecordType[];

/** Record types that proposals change (docs/specification/records.md, "Record types"). */
export const targetTypes = [...taggableTypes, 'tasks'] as const satisfies readonly RecordType[];

/** Record types whose changes are kept (docs/specification/records.md, "History"). */
export const historyTypes = [
  'contacts',
  'organizations',
  'deals',
  'tasks',
] as const satisfies readonly RecordType[];

/** Record types whose deletions are listed (docs/specification/records.md, "Deletions"). */
export const deletableTypes = [
  'contacts',
  'organizations',
  'deals',
  'files',
  'calendar_events',
  'spaces',
  'tasks',
  'milestones',
] as const satisfies readonly RecordType[];

/** Record types that rest for some time after their deletion (docs/specification/records.md, "Deletions"). */
export const restorableTypes = [
  'contacts',
  'organizations',
  'deals',
  'files',
  'calendar_events',
  'spaces',
  'tasks',
  'milestones',
] as const satisfies readonly RecordType[];

export type RestorableType = (typeof restorableTypes)[number];

/** Record types that tasks are linked to (docs/specification/records.md, "Tasks"). */
export const linkableTypes = [
  'threads',
  'contacts',
  'organizations',
  'deals',
  'spaces',
  'milestones',
  'calendar_events',
] as const satisfies readonly RecordType[];

export type LinkableType = (typeof linkableTypes)[number];

export const isLinkable = (type: RecordType) => (linkableTypes as readonly RecordType[]).includes(type);

type Singular<Type extends RecordType> = Type extends 'mailboxes'
  ? 'mailbox'
  : Type extends `${infer Name}s`
    ? Name
    : never;

/** The name of one record of the type, for example `calendar_event`. */
export function singular<Type extends RecordType>(type: Type): Singular<Type> {
  return (type === 'mailboxes' ? 'mailbox' : type.slice(0, -1)) as Singular<Type>;
}

const byName = new Map<string, RecordType>(shareableTypes.map((type) => [singular(type), type]));

/** The type of `singular`; undefined for any other name. */
export const pluralOf = (name: string): RecordType | undefined => byName.get(name);

/**
 * The types that a family has registered, in their order. A path or a parameter with any other type could find nothing.
 */
export function registered<Type extends RecordType, Families extends Partial<Record<RecordType, unknown>>>(
  types: readonly Type[],
  families: Families,
): readonly Extract<Type, keyof Families>[] {
  return types.filter((type): type is Extract<Type, keyof Families> => type in families);
}
