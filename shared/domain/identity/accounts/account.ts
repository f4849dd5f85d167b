import type { Item } from '#shared/table/table.ts';

/** An account as stored. */
export type Account = Item & {
  id: string;
  name: string;
  owner_user_id: string;
  api_access: 'enabled' | 'read_only' | 'disabled';
  features: { ask_assistant: boolean };
  status: 'active' | 'closed';
  /** It has, or had, definitions of custom fields. */
  has_custom_fields?: true;
  /** A user of it has, or had, a device that receives push messages. */
  has_devices?: true;
  created_at: string;
  updated_at: string | null;
};
