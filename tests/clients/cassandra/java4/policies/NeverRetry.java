package policies;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.api.core.retry.RetryVerdict;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import com.datastax.oss.driver.api.core.session.Request;

/** A retry policy that tells every error to the caller, so that no retry hides one. */
public final class NeverRetry implements RetryPolicy {
  public NeverRetry(DriverContext context, String profile) {}

  @Override
  public RetryVerdict onReadTimeoutVerdict(
      Request request, ConsistencyLevel level, int needed, int received, boolean data, int retries) {
    return RetryVerdict.RETHROW;
  }

  @Override
  public RetryVerdict onWriteTimeoutVerdict(
      Request request, ConsistencyLevel level, WriteType type, int needed, int received, int retries) {
    return RetryVerdict.RETHROW;
  }

  @Override
  public RetryVerdict onUnavailableVerdict(
      Request request, ConsistencyLevel level, int needed, int alive, int retries) {
    return RetryVerdict.RETHROW;
  }

  @Override
  public RetryVerdict onRequestAbortedVerdict(Request request, Throwable error, int retries) {
    return RetryVerdict.RETHROW;
  }

  @Override
  public RetryVerdict onErrorResponseVerdict(Request request, CoordinatorException error, int retries) {
    return RetryVerdict.RETHROW;
  }

  @Override
  @Deprecated
  public com.datastax.oss.driver.api.core.retry.RetryDecision onReadTimeout(
      Request request, ConsistencyLevel level, int needed, int received, boolean data, int retries) {
    throw new UnsupportedOperationException();
  }

  @Override
  @Deprecated
  public com.datastax.oss.driver.api.core.retry.RetryDecision onWriteTimeout(
      Request request, ConsistencyLevel level, WriteType type, int needed, int received, int retries) {
    throw new UnsupportedOperationException();
  }

  @Override
  @Deprecated
  public com.datastax.oss.driver.api.core.retry.RetryDecision onUnavailable(
      Request request, ConsistencyLevel level, int needed, int alive, int retries) {
    throw new UnsupportedOperationException();
  }

  @Override
  @Deprecated
  public com.datastax.oss.driver.api.core.retry.RetryDecision onRequestAborted(
      Request request, Throwable error, int retries) {
    throw new UnsupportedOperationException();
  }

  @Override
  @Deprecated
  public com.datastax.oss.driver.api.core.retry.RetryDecision onErrorResponse(
      Request request, CoordinatorException error, int retries) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
