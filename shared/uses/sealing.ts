import type { Kind } from './kind.ts';

/** What kinds have in common whose functions seal secrets: a key in KMS, or one of the configuration with local servers. */
export const sealing = {
  /** The alias names the key: https://docs.aws.amazon.com/kms/latest/developerguide/alias-authorization.html */
  grants: (_, { arn, names }) => [
    {
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [arn({ service: 'kms', resource: 'key', resourceName: '*' })],
      conditions: { 'ForAnyValue:StringEquals': { 'kms:ResourceAliases': names.sealing_key } },
    },
  ],
  wildcards: { kms: 'Only the key with the alias of the stage.' },
  variables: (_, { local_endpoints, names }): Record<string, string> =>
    local_endpoints ? { MAILBOX_KEYS: '' } : { SEALING_KEY: names.sealing_key },
  libraries: { '@aws-sdk/client-kms': { bytes: 40_000, reason: 'opens the key that seals secrets' } },
} as const satisfies Kind;
