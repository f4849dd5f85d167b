import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { explain } from './explain.ts';
import type { Names } from './names.ts';
import type { Stage } from './stage.ts';

/** The alarms. docs/operations.md says what to do about each, by its name. */

interface Watched {
  id: string;
  description: string;
  metric: IMetric;
  /** Consecutive periods of the metric. */
  periods?: number;
}

/** Raised from a value on or, for what must happen, below a value and without any. */
export type Watch = Watched & ({ from: number; below?: never } | { below: number; from?: never });

/** Only alarms may publish, and only with TLS. The texts name resources and numbers, never customers' data. */
export function addAlarmsTopic(scope: Construct, stage: Stage, names: Names): Topic {
  const topic = new Topic(scope, 'Alarms', {
    topicName: names.alarms_topic,
    displayName: `Workspace API ${stage.name}`,
    enforceSSL: true,
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsPublish',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (stage.alarms_email) topic.addSubscription(new EmailSubscription(stage.alarms_email));
  explain(topic, {
    'Serverless-SNSRedrivePolicy':
      'An alarm that could not be mailed is seen in CloudWatch; it is not sent again.',
  });
  return topic;
}

/** The topic, for the stacks that do not create it. */
export function alarmsTopic(scope: Construct, names: Names): ITopic {
  const arn = Stack.of(scope).formatArn({ service: 'sns', resource: names.alarms_topic });
  return Topic.fromTopicArn(scope, 'Alarms', arn);
}

const reaching = (threshold: number) => ({
  threshold,
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
});

const fallingBelow = (threshold: number) => ({
  threshold,
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.BREACHING,
});

export function addAlarms(scope: Construct, names: Names, topic: ITopic, watches: Watch[]): void {
  const action = new SnsAction(topic);
  for (const { id, description, metric, from, below, periods = 1 } of watches) {
    const alarm = new Alarm(scope, `${id}Alarm`, {
      alarmName: names.alarm(id),
      alarmDescription: description,
      metric,
      evaluationPeriods: periods,
      ...(from === undefined ? fallingBelow(below) : reaching(from)),
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
