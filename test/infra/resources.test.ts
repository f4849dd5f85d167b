import { readdirSync } from 'node:fs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { MAX_RECEIVES, queues, schedules, streams } from '#shared/queues/queues.ts';
import { tableSchema } from '#shared/table/schema.ts';
import { operations } from '../../functions/catalogue.ts';
import { readStage } from '../../infra/aws/stage.ts';
import { inventedOperations, ofType, type Resource, spelled, synthesize } from './synthesized.ts';

/** Queues, schedules, alarms and data. */

const cors = { corsOrigins: 'https://app.example,https://admin.example' };
const real = synthesize(operations, { stage: 'prod', ...cors });
const dev = synthesize(inventedOperations(4), { stage: 'dev' });

describe.each(Object.entries(queues))('queue %s', (name, { timeout, batch_size, concurrency }) => {
  const named = (QueueName: string) =>
    ofType(real.jobs, 'AWS::SQS::Queue').find(([, { Properties }]) => Properties.QueueName === QueueName) ??
    [];
  const [id, queue] = named(`WorkspaceApiJobs-prod-${name}`);
  const [lettersId, letters] = named(`WorkspaceApiJobs-prod-${name}-dead-letters`);

  test('has a dead-letter queue, encryption, TLS and six times the time', () => {
    expect(queue?.Properties).toMatchObject({
      VisibilityTimeout: 6 * timeout,
      SqsManagedSseEnabled: true,
      RedrivePolicy: {
        maxReceiveCount: MAX_RECEIVES,
        deadLetterTargetArn: { 'Fn::GetAtt': [lettersId, 'Arn'] },
      },
    });
    expect(letters?.Properties).toMatchObject({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 86_400,
      RedriveAllowPolicy: { redrivePermission: 'byQueue' },
    });
    const refusing = ofType(real.jobs, 'AWS::SQS::QueuePolicy').filter(([, { Properties }]) =>
      JSON.stringify(Properties).includes('"aws:SecureTransport":"false"'),
    );
    const guarded = refusing.flatMap(([, { Properties }]) =>
      Properties.Queues.map((one: { Ref: string }) => one.Ref),
    );
    expect(guarded).toEqual(expect.arrayContaining([id, lettersId]));
  });

  test('is consumed in batches that can fail in part', () => {
    const sources = ofType(real.jobs, 'AWS::Lambda::EventSourceMapping').map(
      ([, { Properties }]) => Properties,
    );
    const source = sources.find(({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][0] === id);
    expect(source).toMatchObject({
      BatchSize: batch_size,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: Math.max(2, concurrency) },
    });
    expect(real.jobs[source.FunctionName.Ref]?.Properties.FunctionName).toBe(`WorkspaceApiJobs-prod-${name}`);
  });

  test('has alarms for dead letters and for age', () => {
    const alarmOn = (metric: string, queueId: string | undefined) =>
      ofType(real.jobs, 'AWS::CloudWatch::Alarm').find(
        ([, { Properties }]) =>
          Properties.MetricName === metric && Properties.Dimensions[0].Value['Fn::GetAtt']?.[0] === queueId,
      )?.[1].Properties;
    expect(alarmOn('ApproximateNumberOfMessagesVisible', lettersId)).toMatchObject({ Threshold: 1 });
    expect(alarmOn('ApproximateAgeOfOldestMessage', id)).toBeDefined();
  });
});

test('a queue, a schedule or a stream and the file of its worker have one name', () => {
  const files = readdirSync('functions/queues').map((file) => file.replace(/\.ts$/, ''));
  expect(files.toSorted()).toEqual(Object.keys({ ...queues, ...schedules, ...streams }).toSorted());
});

test('each schedule calls its function', () => {
  const targets = ofType(real.jobs, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => ({
    expression: Properties.ScheduleExpression,
    name: real.jobs[Properties.Target.Arn['Fn::GetAtt'][0]]?.Properties.FunctionName,
  }));
  for (const [name, { every_minutes }] of Object.entries(schedules))
    expect(targets).toContainEqual({
      expression: expect.stringMatching(new RegExp(`^rate\\(${every_minutes} minutes?\\)$`)),
      name: `WorkspaceApiJobs-prod-${name}`,
    });
});

test('alarms tell a topic that CloudWatch may publish to', () => {
  const [topic, { Properties }] = ofType(real.data, 'AWS::SNS::Topic')[0] as [string, Resource];
  const byName = `arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:${Properties.TopicName}`;
  const alarmsOf = (resources: Record<string, Resource>) =>
    ofType(resources, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  for (const [resources, told] of [
    [real.data, `<${topic}>`],
    [real.jobs, byName],
    [real.api, byName],
    [real.sockets, byName],
  ] as const)
    for (const { AlarmActions, OKActions } of alarmsOf(resources)) {
      expect(AlarmActions.map(spelled)).toEqual([told]);
      expect(OKActions.map(spelled)).toEqual([told]);
    }
  const names = [real.data, real.sockets, real.jobs, real.api]
    .flatMap(alarmsOf)
    .map(({ AlarmName }) => AlarmName.replace('WorkspaceApi-prod-', ''));
  expect(names).toEqual(
    expect.arrayContaining([
      'ServerErrors',
      'Latency',
      'FunctionErrors',
      'FunctionThrottles',
      'TableThrottled',
    ]),
  );
  const [, policy] = ofType(real.data, 'AWS::SNS::TopicPolicy')[0] as [string, Resource];
  expect(policy.Properties.PolicyDocument.Statement).toContainEqual(
    expect.objectContaining({
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
    }),
  );
});

describe('alarms', () => {
  type Metric = {
    Namespace?: string;
    MetricName?: string;
    Dimensions?: { Name: string; Value: unknown }[];
    Metrics?: { Id: string; MetricStat?: { Metric: Metric } }[];
  };
  const alarmsOf = ({ data, sockets, jobs, api }: typeof real) =>
    [data, sockets, jobs, api]
      .flatMap((resources) => ofType(resources, 'AWS::CloudWatch::Alarm'))
      .map(([, { Properties }]) => Properties);
  const metricsOf = (alarm: Metric): Metric[] =>
    alarm.Metrics ? alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []) : [alarm];
  const named = (stacks: typeof real, name: string) =>
    alarmsOf(stacks).find(({ AlarmName }) => AlarmName.endsWith(`-${name}`));

  test('of one stage are about this stage; production alone watches the whole account', () => {
    const ofAccount = (stacks: typeof real) =>
      alarmsOf(stacks)
        .filter((alarm) => metricsOf(alarm).some(({ Dimensions = [] }) => Dimensions.length === 0))
        .map(({ AlarmName }) => AlarmName);
    expect(ofAccount(real)).toEqual(['WorkspaceApi-prod-FunctionThrottles']);
    expect(ofAccount(dev)).toEqual([]);
    const text = JSON.stringify(alarmsOf(dev));
    expect(text).toContain('WorkspaceApi-dev');
    expect(text).not.toContain('prod');
  });

  test('count the responses that no function wrote, by the metric that the functions write', () => {
    const alarm = named(dev, 'FunctionErrors');
    expect(alarm.Metrics[0].Expression).toBe('errors - FILL(written, 0)');
    const [errors, own] = ['errors', 'written'].map(
      (id) => alarm.Metrics.find(({ Id }: { Id: string }) => Id === id).MetricStat.Metric,
    );
    expect(errors).toMatchObject({ Namespace: 'AWS/ApiGateway', MetricName: '5XXError' });
    // As test/api/responses.test.ts reads it from the line of a request.
    expect(own).toEqual({
      Namespace: 'WorkspaceApi',
      MetricName: 'ServerError',
      Dimensions: [
        { Name: 'service', Value: 'workspace-api' },
        { Name: 'stage', Value: 'dev' },
      ],
    });
  });

  test.each(Object.entries(schedules))('notice that %s is not called any more', (name, { every_minutes }) => {
    const alarm = alarmsOf(real).find(
      ({ MetricName, Dimensions }) =>
        MetricName === 'Invocations' &&
        real.jobs[Dimensions[0].Value.Ref]?.Properties.FunctionName.endsWith(`-${name}`),
    );
    expect(alarm).toMatchObject({
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      Statistic: 'Sum',
      TreatMissingData: 'breaching',
    });
    expect(alarm.Period).toBeGreaterThanOrEqual(every_minutes * 60);
  });
});

describe('production', () => {
  const accessLogs = (stacks: typeof real) =>
    ofType(stacks.data, 'AWS::Logs::LogGroup').find(([, { Properties }]) =>
      Properties.LogGroupName.endsWith('/access'),
    )?.[1];

  test('protects all its stacks, and other stages none or all', () => {
    const protection = ({ stacks }: typeof real) =>
      [stacks.data, stacks.sockets, stacks.jobs, stacks.api].map(
        ({ terminationProtection }) => terminationProtection,
      );
    expect(protection(real)).toEqual([true, true, true, true]);
    expect(protection(dev)).toEqual([false, false, false, false]);
  });

  test('keeps the access logs in the stack that outlives the gateway, which writes to them by name', () => {
    expect(accessLogs(real)).toMatchObject({ DeletionPolicy: 'Retain', Properties: { RetentionInDays: 90 } });
    expect(accessLogs(dev)).toMatchObject({ DeletionPolicy: 'Delete', Properties: { RetentionInDays: 7 } });
    const stage = ofType(real.api, 'AWS::ApiGateway::Stage')[0]?.[1].Properties;
    expect(spelled(stage.AccessLogSetting.DestinationArn)).toBe(
      `arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:${accessLogs(real)?.Properties.LogGroupName}`,
    );
  });
});

test('the logging role of the account is set unless it is to be kept', () => {
  const kept = synthesize(inventedOperations(1), { stage: 'prod', apiGatewayLogRole: 'keep' });
  for (const [stacks, count] of [
    [real, 1],
    [kept, 0],
  ] as const) {
    expect(ofType(stacks.sockets, 'AWS::ApiGateway::Account')).toHaveLength(count);
    expect(ofType(stacks.api, 'AWS::ApiGateway::Account')).toEqual([]);
    expect(JSON.stringify(stacks.sockets).includes('AmazonAPIGatewayPushToCloudWatchLogs')).toBe(count > 0);
    expect(new AwsSolutionsChecks(stacks.app).validateScope(stacks.app).violations).toEqual([]);
  }
});

describe('data', () => {
  const only = (stacks: typeof real, type: string) => (ofType(stacks.data, type)[0] as [string, Resource])[1];

  test('the table is the one of the schema, encrypted, recoverable and kept', () => {
    const { Properties, DeletionPolicy } = only(real, 'AWS::DynamoDB::GlobalTable');
    expect(DeletionPolicy).toBe('Retain');
    expect(Properties).toMatchObject({
      TableName: 'WorkspaceApi-prod',
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      TimeToLiveSpecification: { Enabled: true, AttributeName: tableSchema.ttl },
      Replicas: [
        {
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    });
    const keysOf = ({ hash, range }: { hash: readonly { name: string }[]; range: { name: string } }) => [
      ...hash.map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' })),
      { AttributeName: range.name, KeyType: 'RANGE' },
    ];
    const indexes = Properties.GlobalSecondaryIndexes as { IndexName: string; KeySchema: unknown }[];
    expect(indexes.map(({ IndexName, KeySchema }) => [IndexName, KeySchema])).toEqual(
      Object.entries(tableSchema.indexes).map(([name, index]) => [name, keysOf(index)]),
    );
  });

  test('the buckets are private, encrypted and speak TLS only', () => {
    const buckets = ofType(real.data, 'AWS::S3::Bucket');
    expect(buckets).toHaveLength(2);
    for (const [id, { Properties, DeletionPolicy }] of buckets) {
      expect(DeletionPolicy).toBe('Retain');
      expect(Object.values(Properties.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
      expect(Properties.BucketEncryption).toBeDefined();
      const policy = ofType(real.data, 'AWS::S3::BucketPolicy').find(
        ([, one]) => one.Properties.Bucket.Ref === id,
      );
      expect(policy?.[1].Properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
    }
  });

  test('objects: versions, unused uploads go, browsers may PUT from the configured origins only, and GET', () => {
    const bucketOf = (stacks: typeof real) =>
      ofType(stacks.data, 'AWS::S3::Bucket').find(([, one]) => one.Properties.VersioningConfiguration)?.[1]
        .Properties;
    const rules = bucketOf(real).LifecycleConfiguration.Rules;
    expect(rules).toContainEqual(expect.objectContaining({ Prefix: 'uploads/', ExpirationInDays: 30 }));
    expect(rules).toContainEqual(
      expect.objectContaining({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } }),
    );
    expect(bucketOf(real).CorsConfiguration.CorsRules).toMatchObject([
      { AllowedMethods: ['PUT'], AllowedOrigins: cors.corsOrigins.split(',') },
      { AllowedMethods: ['GET'], AllowedOrigins: ['*'] },
    ]);
    expect(bucketOf(dev).CorsConfiguration).toBeUndefined();
  });

  test('cursors are signed with a secret of this stack, which is in no template', () => {
    const secret = (of: typeof dev) => only(of, 'AWS::SecretsManager::Secret');
    expect([secret(real).DeletionPolicy, secret(dev).DeletionPolicy]).toEqual(['Retain', 'Delete']);
    expect(secret(dev).Properties.Name).toBe('WorkspaceApi/dev/cursor-keys');
    const functions = [dev.api, dev.jobs].flatMap((stack) => ofType(stack, 'AWS::Lambda::Function'));
    const given = functions.flatMap(([, one]) => one.Properties.Environment.Variables.CURSOR_KEYS ?? []);
    expect(given.length).toBeGreaterThan(0);
    for (const value of given)
      expect(value).toMatch('{{resolve:secretsmanager:WorkspaceApi/dev/cursor-keys:SecretString:');
  });

  test('passwords are sealed with a key of KMS, which functions know by its alias alone', () => {
    const key = (of: typeof dev) => only(of, 'AWS::KMS::Key');
    expect([key(real).DeletionPolicy, key(dev).DeletionPolicy]).toEqual(['Retain', 'Delete']);
    expect(key(real).Properties.EnableKeyRotation).toBe(true);
    const alias = only(real, 'AWS::KMS::Alias').Properties.AliasName;
    expect(alias).toBe('alias/WorkspaceApi/prod/sealing');
    const variables = [real.api, real.jobs]
      .flatMap((stack) => ofType(stack, 'AWS::Lambda::Function'))
      .map(([, one]) => one.Properties.Environment.Variables);
    const named = variables.flatMap(({ SEALING_KEY }) => SEALING_KEY ?? []);
    expect(new Set(named)).toEqual(new Set([alias]));
    expect(variables.filter(({ MAILBOX_KEYS }) => MAILBOX_KEYS !== undefined)).toEqual([]);
  });

  test('a stage for development can be thrown away, an unknown stage is refused', () => {
    const table = only(dev, 'AWS::DynamoDB::GlobalTable');
    expect(table.DeletionPolicy).toBe('Delete');
    expect(table.Properties.Replicas[0].DeletionProtectionEnabled).toBe(false);
    expect(() => readStage((name) => (name === 'stage' ? 'prd' : undefined))).toThrow(/Unknown stage "prd"/);
  });
});
