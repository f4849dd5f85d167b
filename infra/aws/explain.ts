import { Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Rules of the Serverless pack that do not fit functions behind a gateway or a queue. */
export const FUNCTION_EXPLANATIONS = {
  'Serverless-LambdaDLQ':
    'The gateway waits for its functions; jobs come from a queue that has dead letters.',
  'Serverless-LambdaStarPermissions':
    'X-Ray takes no resource, and objects are named by ids; see IAM5 at each role.',
};

/** Says why rules of cdk-nag (https://github.com/cdklabs/cdk-nag) do not apply to a resource. */
export function explain(construct: IConstruct, rules: Record<string, string>): void {
  for (const [id, reason] of Object.entries(rules)) Validations.of(construct).acknowledge({ id, reason });
}

/** A value as cdk-nag spells it, references in angle brackets: `arn:<AWS::Partition>:s3:::...`. */
function spelling(construct: IConstruct, value: string): string {
  const resolved = Stack.of(construct).resolve(value);
  if (typeof resolved === 'string') return resolved;
  const [separator, parts] = (resolved['Fn::Join'] ?? ['', []]) as [string, (string | { Ref: string })[]];
  return parts.map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join(separator);
}

/** The same for wildcards among the resources of a policy, one by one, so that a new one needs an explanation. */
export function explainWildcards(
  construct: IConstruct,
  resources: string[],
  reasonOf: (resource: string) => string | undefined,
): void {
  for (const resource of resources) {
    const spelled = spelling(construct, resource);
    const reason = spelled.includes('*') ? reasonOf(spelled) : undefined;
    if (reason) explain(construct, { [`AwsSolutions-IAM5[Resource::${spelled}]`]: reason });
  }
}
