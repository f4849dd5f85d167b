import type { Counters } from '#shared/domain/platform/rates/rate.ts';
import type { Item } from '#shared/table/table.ts';
import type { CredentialKind } from './secret.ts';

/** A credential as stored under the hash of its secret, with its request counters. */
export type Credential = Item & {
  id: string;
  account_id: string;
  user_id: string;
  kind: CredentialKind;
  tier: 'read' | 'read_write';
  /** Milliseconds; missing when it never expires. */
  expires_at_ms?: number;
  used_at?: string;
} & Counters;
