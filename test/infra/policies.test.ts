import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { ofType, type Resource, spelled, synthesize } from './synthesized.ts';

/** The policies in docs/policies allow what the templates contain. */

interface Statement {
  Sid: string;
  Action: string | string[];
  Resource: string | string[];
}

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);
const policyOf = (name: string) => {
  const text = readFileSync(`docs/policies/${name}.json`, 'utf8');
  return { text, statements: JSON.parse(text).Statement as Statement[] };
};
const matches = (pattern: string, value: string) =>
  new RegExp(`^${pattern.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`).test(value);

const { text, statements } = policyOf('cloudformation');
const made = synthesize(operations, {
  stage: 'prod',
  alarmsEmail: 'ops@acme.example',
  webAclArn: 'arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/x/y',
  domainName: 'api.acme.example',
  certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/x',
  hostedZoneId: 'Z1',
});
const resources = [made.data, made.sockets, made.jobs, made.api].flatMap((stack) => Object.values(stack));

/** The action that creates a resource of a type; those of `AWS::ApiGateway` are HTTP methods. */
const creating: Record<string, string> = {
  'AWS::ApiGateway::Account': 'apigateway:PATCH',
  'AWS::ApiGateway::BasePathMapping': 'apigateway:POST',
  'AWS::ApiGateway::Deployment': 'apigateway:POST',
  'AWS::ApiGateway::DomainName': 'apigateway:POST',
  'AWS::ApiGateway::RestApi': 'apigateway:POST',
  'AWS::ApiGateway::Stage': 'apigateway:POST',
  'AWS::ApiGatewayV2::Api': 'apigateway:POST',
  'AWS::ApiGatewayV2::Integration': 'apigateway:POST',
  'AWS::ApiGatewayV2::Route': 'apigateway:POST',
  'AWS::ApiGatewayV2::RouteResponse': 'apigateway:POST',
  'AWS::ApiGatewayV2::Stage': 'apigateway:POST',
  'AWS::CloudWatch::Alarm': 'cloudwatch:PutMetricAlarm',
  'AWS::CloudWatch::Dashboard': 'cloudwatch:PutDashboard',
  'AWS::DynamoDB::GlobalTable': 'dynamodb:CreateTable',
  'AWS::IAM::Role': 'iam:CreateRole',
  'AWS::KMS::Alias': 'kms:CreateAlias',
  'AWS::KMS::Key': 'kms:CreateKey',
  'AWS::Lambda::EventInvokeConfig': 'lambda:PutFunctionEventInvokeConfig',
  'AWS::Lambda::EventSourceMapping': 'lambda:CreateEventSourceMapping',
  'AWS::Lambda::Function': 'lambda:CreateFunction',
  'AWS::Logs::LogGroup': 'logs:CreateLogGroup',
  'AWS::Route53::RecordSet': 'route53:ChangeResourceRecordSets',
  'AWS::S3::Bucket': 's3:CreateBucket',
  'AWS::S3::BucketPolicy': 's3:PutBucketPolicy',
  'AWS::Scheduler::Schedule': 'scheduler:CreateSchedule',
  'AWS::SecretsManager::Secret': 'secretsmanager:CreateSecret',
  'AWS::SNS::Subscription': 'sns:Subscribe',
  'AWS::SNS::Topic': 'sns:CreateTopic',
  'AWS::SNS::TopicPolicy': 'sns:SetTopicAttributes',
  'AWS::SQS::Queue': 'sqs:CreateQueue',
  'AWS::SQS::QueuePolicy': 'sqs:SetQueueAttributes',
  'AWS::SSM::Parameter': 'ssm:PutParameter',
  'AWS::WAFv2::WebACLAssociation': 'wafv2:AssociateWebACL',
};
const allowing = (action: string) =>
  statements.filter(({ Action }) => list(Action).some((pattern) => matches(pattern, action)));

describe('the policy of CloudFormation', () => {
  const types = [...new Set(resources.map(({ Type }) => Type))].sort();

  it('is about the resource types of the templates, and no others', () => {
    expect(types).toEqual(Object.keys(creating).sort());
    const services = new Set(types.map((type) => type.split('::')[1] as string));
    // The longest: `ApiGatewayV2` begins with `ApiGateway`.
    const byLength = [...services].sort((a, b) => b.length - a.length);
    const ofService = (sid: string) => byLength.find((service) => sid.startsWith(service));
    expect(statements.map(({ Sid }) => Sid).filter((sid) => !ofService(sid))).toEqual(['Cdk']);
    expect(new Set(statements.flatMap(({ Sid }) => ofService(Sid) ?? []))).toEqual(services);
  });

  it.each(types)('allows to create %s', (type) => {
    expect(allowing(creating[type] as string)).not.toEqual([]);
  });

  it.each([
    ['AWS::Lambda::Function', 'FunctionName', 'arn:aws:lambda:r:1:function:'],
    ['AWS::SQS::Queue', 'QueueName', 'arn:aws:sqs:r:1:'],
    ['AWS::DynamoDB::GlobalTable', 'TableName', 'arn:aws:dynamodb:r:1:table/'],
    ['AWS::CloudWatch::Alarm', 'AlarmName', 'arn:aws:cloudwatch:r:1:alarm:'],
    ['AWS::CloudWatch::Dashboard', 'DashboardName', 'arn:aws:cloudwatch::1:dashboard/'],
    ['AWS::SNS::Topic', 'TopicName', 'arn:aws:sns:r:1:'],
    ['AWS::S3::Bucket', 'BucketName', 'arn:aws:s3:::'],
    ['AWS::SecretsManager::Secret', 'Name', 'arn:aws:secretsmanager:r:1:secret:'],
    ['AWS::Logs::LogGroup', 'LogGroupName', 'arn:aws:logs:r:1:log-group:'],
  ])('%s: covers its names', (type, property, prefix) => {
    const patterns = allowing(creating[type] as string).flatMap(({ Resource }) => list(Resource));
    const named = [made.data, made.sockets, made.jobs, made.api].flatMap((stack) => ofType(stack, type));
    expect(named.length).toBeGreaterThan(0);
    for (const [, { Properties }] of named as [string, Resource][]) {
      const arn = prefix + spelled(Properties[property]);
      expect(
        patterns.some((pattern) => matches(pattern, arn)),
        arn,
      ).toBe(true);
    }
  });

  it('fits a managed policy, and allows everything to nobody', () => {
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    expect(text.replaceAll(/\s/g, '').length).toBeLessThan(6_144);
    for (const { Action } of [...statements, ...policyOf('deployer').statements])
      for (const action of list(Action)) expect(action).not.toMatch(/^\*|:\*$/);
  });
});
