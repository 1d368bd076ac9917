# Sourced by examples/run and examples/gpu-bundle, which set root: build_if_stale compiles all modules, for the Maven profiles of
# BROADLOOM_PROFILES, unless the last build has all that goes into them.
target=$root/examples/target
built=$root/examples/bench/target # what Maven leaves of its class path
modules="examples/bench examples/tools examples/testkit spark-ext gpu/cuda gpu/cpu gpu/kernels gpu/expr arrow-io"
profiles=${BROADLOOM_PROFILES:-}

# Stale: never built, cleaned since, or something that goes into the classes is newer than the last build
# (a folder too, so that a deleted file counts).
stale() {
  [ -f "$target/run.built" ] && [ -f "$built/class-path.carried" ] && [ -f "$built/class-path.provided" ] || return 0
  [ "$(<"$target/run.built")" = "$profiles" ] || return 0
  local inputs=("$root/pom.xml" "$root/examples/pom.xml" "$root/gpu/pom.xml" "$root/.mvn" "$root/mvnw" "$root/examples/broadloom.scala") module
  for module in $modules; do
    [ -d "$root/$module/target/classes" ] || return 0
    inputs+=("$root/$module/pom.xml" "$root/$module/src/main")
  done
  [ -n "$(find "${inputs[@]}" -newer "$target/run.built" -print 2>/dev/null | head -n 1)" ]
}

build() {
  local log=$target/run.log started=$target/run.started
  if [ -d "${HOME:-}/.m2/repository/org/apache/spark/spark-sql_2.13" ]; then
    echo "building…" >&2
  else
    echo "building… (the first build fetches Spark from Maven Central: some 300 MB)" >&2
  fi
  echo "$profiles" >"$started" # what changes while the build runs is newer than this, so the next run sees it
  if ! (cd "$root" && ./mvnw -q -B ${profiles:+"-P$profiles"} -pl examples/bench -am process-test-classes -Dmaven.test.skip=true) >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    echo "Cannot build Broadloom: the log above is in $log" >&2
    exit 1
  fi
  mv "$started" "$target/run.built"
}

build_if_stale() {
  mkdir -p "$target"
  if stale; then
    # Two runs that start together build once.
    if command -v flock >/dev/null; then
      exec 9>"$target/run.lock"
      flock 9
    fi
    if stale; then build; fi
    exec 9>&-
  fi
}
