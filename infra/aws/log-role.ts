import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { explain } from './explain.ts';

/**
 * The role with which API Gateway writes the logs of all APIs of the account and region. It stays when the stack goes:
 * others may need it (https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html).
 */
export function addLogRole(scope: Construct): CfnAccount {
  const role = new Role(scope, 'LogRole', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs'),
    ],
  });
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  explain(role, {
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
      'The policy that AWS has for this: API Gateway accepts one role for all APIs of an account and region.',
  });
  const account = new CfnAccount(scope, 'LogAccount', { cloudWatchRoleArn: role.roleArn });
  account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  account.node.addDependency(role);
  return account;
}
