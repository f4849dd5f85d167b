import { hash } from 'node:crypto';
import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ApiEvent, ApiResult } from '#shared/api/call.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { authenticate } from '#shared/domain/identity/credentials/authenticate.ts';
import type { Credential } from '#shared/domain/identity/credentials/credential.ts';
import { hashSecret, isWellFormedSecret } from '#shared/domain/identity/credentials/secret.ts';
import { type User, userSchema } from '#shared/domain/identity/users/user.ts';
import {
  counterName,
  KEY_LIMIT,
  measureRate,
  slotOf,
  USER_LIMIT,
} from '#shared/domain/platform/rates/rate.ts';
import { recordRequest } from '#shared/log.ts';
import type { Services } from '#shared/services.ts';

/**
 * The steps of `retrieveCurrentUser` in one function, for a request that succeeds: no middleware, expressions as text, and
 * neither errors nor retries. What the structure of the service costs is its own time less that of this function.
 */

const schema = z.strictObject({ user: userSchema });
const HOUR = 3_600_000;

function secretOf(headers: ApiEvent['headers']): string {
  for (const name in headers)
    if (name.toLowerCase() === 'authorization') return (headers[name] as string).slice('Bearer '.length);
  return '';
}

function shown(user: User, account: Account, config: Services['config']) {
  const admin = user.role === 'owner' || user.role === 'admin';
  const ask =
    config.assistant.provider !== 'none' && account.features.ask_assistant && user.assistant_enabled;
  return {
    id: user.id,
    user_id: user.id,
    name: user.name,
    first_name: user.first_name,
    last_name: user.last_name,
    email_address: user.email_address,
    avatar_url: user.avatar_id ? `/accounts/${user.account_id}/avatars/${user.avatar_id}` : null,
    role: user.role,
    status: user.status,
    time_zone: user.time_zone,
    week_starts_on: user.week_starts_on,
    group_ids: [...(user.group_ids ?? [])].sort(),
    primary_mailbox_id: user.primary_mailbox_id,
    assistant_enabled: user.assistant_enabled,
    capabilities: {
      ask_assistant: ask,
      manage_account: admin,
      manage_users: admin,
      delete_tags: admin,
      send_email: Object.values(user.mailboxes).some((access) => access !== 'view'),
      use_api: account.api_access !== 'disabled',
    },
    notification_settings: user.notification_settings,
    notification_digest: user.notification_digest ?? 'none',
    terms_accepted: user.terms_pending !== true,
    created_at: user.created_at,
    updated_at: user.updated_at,
  };
}

async function authenticated({ table, clock }: Services, secret: string) {
  const [now, TableName] = [clock(), table.name];
  const [time, counter] = [now.getTime(), counterName(slotOf(now))];
  const counted = await table.client.send(
    new UpdateCommand({
      TableName,
      Key: { PK: `KEY#${hashSecret(secret)}`, SK: 'KEY' },
      UpdateExpression: 'SET #0 = :0 ADD #1 :1',
      ConditionExpression: 'attribute_exists(#2) AND (attribute_not_exists(#3) OR #3 > :2)',
      ExpressionAttributeNames: { '#0': 'used_at', '#1': counter, '#2': 'PK', '#3': 'expires_at_ms' },
      ExpressionAttributeValues: { ':0': now.toISOString(), ':1': 1, ':2': time },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  const credential = counted.Attributes as Credential;
  const [PK, hour] = [`ACCOUNT#${credential.account_id}`, Math.floor(time / HOUR)];
  const [rated, read] = await Promise.all([
    table.client.send(
      new UpdateCommand({
        TableName,
        Key: { PK: `RATE#${credential.user_id}`, SK: `HOUR#${hour}` },
        UpdateExpression: 'SET #0 = :0 ADD #1 :1',
        ExpressionAttributeNames: { '#0': 'expires_epoch', '#1': counter },
        ExpressionAttributeValues: { ':0': ((hour + 1) * HOUR) / 1_000 + 3_600, ':1': 1 },
        ReturnValues: 'ALL_NEW',
      }),
    ),
    table.client.send(
      new BatchGetCommand({
        RequestItems: {
          [TableName]: {
            Keys: [
              { PK, SK: `USER#${credential.user_id}` },
              { PK, SK: 'META' },
              { PK, SK: 'ACCESS' },
            ],
            ConsistentRead: true,
          },
        },
      }),
    ),
  ]);
  const found = read.Responses?.[TableName] ?? [];
  return {
    credential,
    user: found.find(({ SK }) => SK.startsWith('USER#')) as User,
    account: found.find(({ SK }) => SK === 'META') as Account,
    rates: [
      measureRate(credential, KEY_LIMIT, now),
      measureRate(rated.Attributes as Record<string, unknown>, USER_LIMIT, now),
    ],
  };
}

/** The same as `authenticated`, with the service's own function. */
export async function serviceAuthenticated({ table, clock }: Services, secret: string) {
  const found = await authenticate(table, hashSecret(secret), clock());
  if (!found) throw new Error('The key is unknown');
  return { ...found.caller, rates: found.rates };
}

export async function retrieveCurrentUserByHand(
  event: ApiEvent,
  services: Services,
  authentication: typeof authenticated | typeof serviceAuthenticated = authenticated,
): Promise<ApiResult> {
  const started = performance.now();
  const { requestId: request_id } = event.requestContext;
  const secret = secretOf(event.headers);
  if (!isWellFormedSecret(secret)) throw new Error('The key is not well-formed');
  const { credential, user, account, rates } = await authentication(services, secret);
  const body = JSON.stringify(schema.parse({ user: shown(user, account, services.config) }));
  const [first, second] = rates as [(typeof rates)[0], (typeof rates)[0]];
  const version = Date.parse(user.updated_at ?? user.created_at).toString(36);
  const tightest = first.remaining <= second.remaining ? first : second;
  const headers = {
    'Content-Type': 'application/json',
    'X-Request-Id': request_id,
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'RateLimit-Limit': String(tightest.limit),
    'RateLimit-Remaining': String(tightest.remaining),
    'RateLimit-Reset': String(tightest.reset),
    ETag: `"${version}.${hash('sha256', body, 'base64url')}"`,
  };
  recordRequest(services.config.stage, {
    operation: 'retrieveCurrentUser',
    request_id,
    status: 200,
    duration_ms: Math.round((performance.now() - started) * 100) / 100,
    error_code: undefined,
    account_id: account.id,
    user_id: user.id,
    credential_id: credential.id,
  });
  return { statusCode: 200, headers, body };
}
