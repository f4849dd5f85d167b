import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';

/**
 * What AWS names itself, and a later stack needs, under a fixed name in Parameter Store. A reference to another stack would
 * be an export, which cannot change while it is used. CloudFormation reads the value with every deployment.
 */

export function publishValue(scope: Construct, id: string, parameterName: string, stringValue: string): void {
  new StringParameter(scope, id, { parameterName, stringValue });
}

export const publishedValue = (scope: Construct, parameterName: string): string =>
  StringParameter.valueForStringParameter(scope, parameterName);
