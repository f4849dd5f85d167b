import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';

/** Metrics for alarms and dashboards, in periods of five minutes. */

const period = Duration.minutes(5);

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html */
export function gatewayMetrics(api: SpecRestApi) {
  const of = (metricName: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiName: api.restApiName, Stage: api.deploymentStage.stageName },
      statistic,
      period,
    });
  return {
    requests: of('Count', Stats.SUM),
    client_errors: of('4XXError', Stats.SUM),
    server_errors: of('5XXError', Stats.SUM),
    latency: (percentile: number) => of('Latency', Stats.percentile(percentile)),
  };
}

/** Responses with a 5xx status that a function wrote, as `recordRequest` of shared/log.ts counts them. */
export function writtenErrors(stage: string): Metric {
  return new Metric({
    namespace: 'WorkspaceApi',
    metricName: 'ServerError',
    dimensionsMap: { service: 'workspace-api', stage },
    statistic: Stats.SUM,
    period,
  });
}

/**
 * Without dimensions: all functions of the account and region, which also share the limit on concurrent executions.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 */
export const lambdaMetrics = {
  errors: new Metric({ namespace: 'AWS/Lambda', metricName: 'Errors', statistic: Stats.SUM, period }),
  throttles: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: Stats.SUM, period }),
  concurrency: new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'ConcurrentExecutions',
    statistic: Stats.MAXIMUM,
    period,
  }),
};

const OPERATIONS = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
];

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html */
export function tableMetrics(table: string) {
  const of = (metricName: string, more: Record<string, string> = {}) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: table, ...more },
      statistic: Stats.SUM,
      period,
    });
  const overOperations = (metricName: string, label: string, id: string): IMetric => {
    const usingMetrics = Object.fromEntries(
      OPERATIONS.map((Operation, i) => [`${id}${i}`, of(metricName, { Operation })]),
    );
    const expression = `SUM([${Object.keys(usingMetrics).join(', ')}])`;
    return new MathExpression({ expression, label, usingMetrics, period });
  };
  return {
    throttled: overOperations('ThrottledRequests', 'Throttled requests', 'throttled'),
    failed: overOperations('SystemErrors', 'Errors of DynamoDB', 'failed'),
    read_units: of('ConsumedReadCapacityUnits'),
    write_units: of('ConsumedWriteCapacityUnits'),
  };
}
