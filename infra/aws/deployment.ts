import { SecretValue, type Stack } from 'aws-cdk-lib';
import type { Deployment } from '#shared/uses/kind.ts';
import type { Names } from './names.ts';
import { publishedValue } from './parameters.ts';
import type { Stage } from './stage.ts';

/** CloudFormation inserts the secret on deployment; it is in no template. */
function secretValue(name: string, versionId?: string): string {
  return SecretValue.secretsManager(name, versionId ? { versionId } : {}).unsafeUnwrap();
}

/** What the kinds of `uses` may read of the deployment. */
export function deploymentOf(
  stack: Stack,
  { name, setting, cursor_keys_version, local_endpoints }: Stage,
  names: Names,
): Deployment {
  const { partition, region, account } = stack;
  // Only what is read is a parameter of the template; `sam local` reads none.
  const published = (parameter: string) => (local_endpoints ? '' : publishedValue(stack, parameter));
  return {
    stage: name,
    local_endpoints,
    get socket_url() {
      return published(names.socket_url);
    },
    get socket_api() {
      return published(names.socket_api);
    },
    partition,
    region,
    account,
    names,
    arn: (parts) => stack.formatArn(parts),
    setting,
    signing_keys: secretValue(names.cursor_keys, cursor_keys_version),
    secret: (name) => secretValue(name),
  };
}
