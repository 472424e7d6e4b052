//! A connection's stream with a deadline for writing: a client that does not read is dropped.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{self, Sleep};

use crate::connections::Connection;
use crate::places::Place;

/// A client's stream. Its connection has a place until it is dropped, also when it has become a WebSocket.
#[derive(Debug)]
pub(crate) struct Stream {
    inner: TcpStream,
    connection: Arc<Connection>,
    /// How long a write may wait for the client.
    patience: Duration,
    /// Runs while one does.
    deadline: Option<Pin<Box<Sleep>>>,
    _place: Place<Connection>,
}

impl Stream {
    pub(crate) fn new(
        inner: TcpStream,
        connection: Arc<Connection>,
        place: Place<Connection>,
        patience: Duration,
    ) -> Self {
        Self { inner, connection, patience, deadline: None, _place: place }
    }

    /// The result of a write, or the end of the connection if it has waited too long.
    fn wrote(&mut self, wrote: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if wrote.is_ready() {
            self.deadline = None;
            self.connection.touch();
            return wrote;
        }
        let patience = self.patience;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(time::sleep(patience)));
        ready!(deadline.as_mut().poll(context));
        self.connection.end();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.connection.is_ended() {
            // The system would keep what was not sent for minutes.
            let _ = self.inner.set_zero_linger();
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.inner).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            this.connection.touch();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let wrote = Pin::new(&mut this.inner).poll_write(context, bytes);
        this.wrote(wrote, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let wrote = Pin::new(&mut this.inner).poll_write_vectored(context, parts);
        this.wrote(wrote, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_shutdown(context)
    }
}
