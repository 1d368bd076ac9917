package io.github.broadloom.spark;

import io.github.broadloom.exec.Failures;
import io.github.broadloom.io.Npy;
import io.github.broadloom.tensor.Tensor;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One array on its way between this JVM and the Python process beside it: the bytes of a npy file, through a port of the loopback interface that takes one caller, who knows
 * the secret. Py4j, which tells it, carries texts: 80 MB of them take seconds.
 */
public final class ArraySocket {
    private static final int SECRET_BYTES = 32;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int PATIENCE_MILLIS = 15_000;

    private final String secret;
    private final ServerSocket server;
    private final CompletableFuture<Tensor> passed = new CompletableFuture<>();

    private interface Passing {
        Tensor through(Socket caller) throws IOException;
    }

    private ArraySocket(Passing passing) throws IOException {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        secret = HexFormat.of().formatHex(random);
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        server.setSoTimeout(PATIENCE_MILLIS);
        Thread thread = new Thread(() -> serve(passing), "broadloom-array");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits for a caller who takes a tensor, which nobody may write to before. */
    static ArraySocket of(Tensor tensor) throws IOException {
        return new ArraySocket(caller -> {
            try (OutputStream out = new BufferedOutputStream(caller.getOutputStream(), BUFFER_BYTES)) {
                Npy.write(tensor, out);
            }
            return tensor;
        });
    }

    /** Waits for a caller who brings an array. */
    static ArraySocket receiving() throws IOException {
        return new ArraySocket(
                caller -> Npy.read(new BufferedInputStream(caller.getInputStream(), BUFFER_BYTES), "array"));
    }

    /** The address, the port and the secret, which a caller says first. */
    public String address() {
        return server.getInetAddress().getHostAddress() + " " + server.getLocalPort() + " " + secret;
    }

    /** The tensor that passed, once it has. */
    Tensor passed() throws IOException {
        try {
            return passed.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw Failures.unchecked(e);
        }
    }

    private void serve(Passing passing) {
        try (server;
                Socket caller = accept()) {
            passed.complete(passing.through(caller));
        } catch (IOException | RuntimeException e) {
            passed.completeExceptionally(e);
        }
    }

    private Socket accept() throws IOException {
        Socket caller = server.accept();
        caller.setSoTimeout(PATIENCE_MILLIS);
        byte[] said = caller.getInputStream().readNBytes(secret.length());
        if (!MessageDigest.isEqual(said, secret.getBytes(StandardCharsets.US_ASCII))) {
            caller.close();
            throw new IOException("Cannot pass array: a caller did not know the secret");
        }
        caller.setSoTimeout(0);
        return caller;
    }
}
