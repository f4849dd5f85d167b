import * as z from 'zod';
import { given, optional, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { clearableLine, nameText, requiredText, timestamp, uuid } from '#shared/values.ts';

const platform = z.enum(['ios', 'android', 'web']);

const tokens = resource('DeviceToken', {
  id: given(uuid),
  user_id: given(uuid),
  platform: required(platform, platform),
  name: optional(
    clearableLine(255).optional(),
    nameText(255).nullable().meta({ example: 'Firefox at the office' }),
  ),
  app_version: optional(clearableLine(255).optional(), z.string().nullable().meta({ example: '4.2.0' })),
  token_hint: given(z.string().meta({ example: '9fQ3xA' })),
  last_used_at: given(timestamp.nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/** A device that receives push messages of one user. Its id follows from the token. */
export type DeviceToken = Item &
  StoredFields<typeof tokens.fields> & {
    account_id: string;
    /** As `readToken` writes it. No response contains it. */
    token: string;
  };

export type Platform = DeviceToken['platform'];

const MAX_TOKEN = 4_096;

const secret = {
  token: requiredText(MAX_TOKEN).meta({
    description:
      'What the push service knows the device by: of `ios` the device token in hexadecimal digits, of `android` the registration token, of `web` the subscription as JSON',
    example: 'fGw0qy4TQfmX2bBq:APA91bHPRgkF9fQ3xA',
  }),
};

export const deviceTokenDraft = tokens.strictDraft.extend(secret).meta({ id: 'DeviceTokenDraft' });

export type DeviceTokenDraft = z.output<typeof deviceTokenDraft>;

/** docs/specification/notifications.md, "Push messages". */
export const deviceTokenSchema = tokens.response;

export const presentDeviceToken = (token: DeviceToken) => tokens.present(token, {});
