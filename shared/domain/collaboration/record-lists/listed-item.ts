import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';

/** A record whose every change has a later `updated_at`, which is its optimistic lock. */
export type ListedItem = GuardedItem & {
  created_at: string;
  updated_at: string | null;
  /** Those of events are each user's own, and change without a later `updated_at`. */
  reminders?: unknown;
};

/** When it was last written. */
export const touchedAt = ({ created_at, updated_at }: Pick<ListedItem, 'created_at' | 'updated_at'>) =>
  updated_at ?? created_at;
