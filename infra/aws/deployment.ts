import { SecretValue, type Stack } from 'aws-cdk-lib';
import type { Deployment } from '#shared/uses/kind.ts';
import type { Names } from './names.ts';
import type { Stage } from './stage.ts';

/** CloudFormation inserts the secret on deployment; it is in no template. */
function secretValue(name: string, versionId?: string): string {
  return SecretValue.secretsManager(name, versionId ? { versionId } : {}).unsafeUnwrap();
}

/** What the kinds of `uses` may read of the deployment. */
export function deploymentOf(
  stack: Stack,
  { setting, cursor_keys_version, mailbox_keys_version }: Stage,
  names: Names,
): Deployment {
  const { partition, region, account } = stack;
  return {
    partition,
    region,
    account,
    names,
    arn: (parts) => stack.formatArn(parts),
    setting,
    signing_keys: secretValue(names.cursor_keys, cursor_keys_version),
    sealing_keys: secretValue(names.mailbox_keys, mailbox_keys_version),
    secret: (name) => secretValue(name),
  };
}
