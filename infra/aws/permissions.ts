import type { Access } from '#shared/api/route.ts';
import { keys } from '#shared/table/keys.ts';
import type { Deployment, Grant } from '#shared/uses/kind.ts';
import type { Use } from '#shared/uses/kinds.ts';
import { tableArn } from '#shared/uses/table.ts';
import { type Known, usedModes } from './uses.ts';

/** The permissions of a function, from the uses in its definition. */

/** The pattern of a partition key: `KEY#*` for `KEY#<hash>`. */
const partitions = (key: { PK: string }) => key.PK.replace(/#.*$/, '#*');

/**
 * Only matching keys; `Null` refuses requests without a key, which `ForAllValues` alone would allow:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
 */
function onPartitions(patterns: string[]): NonNullable<Grant['conditions']> {
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
}

const credentials = partitions(keys.credential('x'));
const rates = partitions(keys.userRate('x', 0));
const accounts = partitions(keys.account('x'));
const sessions = partitions(keys.session('x', 'x'));

/** Authentication counts the request on its credential and user, and reads user, account and session. */
function authentication(uses: ReadonlySet<Use>, deployment: Deployment): Grant[] {
  if (uses.has('table:write')) return [];
  const resources = [tableArn(deployment)];
  const grants: Grant[] = [
    { actions: ['dynamodb:UpdateItem'], resources, conditions: onPartitions([credentials, rates]) },
  ];
  if (!uses.has('table:read'))
    grants.push({
      actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
      resources,
      conditions: onPartitions([rates, accounts, sessions]),
    });
  return grants;
}

/** X-Ray has no resource ARNs: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html */
const tracing: Grant = { actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] };

/** `access` is `job` for functions that no caller reaches. */
export function grantsFor(
  uses: readonly Use[],
  access: Access | 'job',
  { kinds, deployment }: Known,
): Grant[] {
  const used = usedModes(uses, kinds);
  return [
    ...Object.entries(kinds).flatMap(([name, kind]) => {
      const modes = used.get(name);
      return modes ? (kind.grants?.(modes, deployment) ?? []) : [];
    }),
    ...(access === 'job' || access === 'public' ? [] : authentication(new Set(uses), deployment)),
    tracing,
  ];
}
