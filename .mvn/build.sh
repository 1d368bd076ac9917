# Sourced by examples/run and examples/gpu-bundle, which set root: build_if_stale compiles all modules, for the Maven profiles of
# BROADLOOM_PROFILES, unless an earlier build has all that goes into them. Their classes are then in the folder $output of each module:
# those of ./mvnw verify, or those that this compiled, without the checks. In $built is what Maven leaves of the class path.
target=$root/examples/target
modules="examples/bench examples/tools spark-ext gpu/cuda gpu/cpu examples/testkit gpu/kernels gpu/expr arrow-io"
profiles=${BROADLOOM_PROFILES:-}
use() {
  output=$1 built=$root/examples/bench/$1
}
use target
if [ ! -f "$built/built" ]; then use target/unchecked; fi

# Stale: never built, cleaned since, or something that goes into the classes is newer than the beginning of that build
# (a folder too, so that a deleted file counts).
stale() {
  local module
  [ -f "$built/built" ] && [ -f "$built/class-path.carried" ] && [ -f "$built/class-path.provided" ] || return 0
  [ "$(<"$built/built")" = "$profiles" ] || return 0
  local inputs=("$root/pom.xml" "$root/examples/pom.xml" "$root/gpu/pom.xml" "$root/.mvn" "$root/mvnw" "$root/examples/broadloom.scala")
  inputs+=("$root/gpu/generator/pom.xml" "$root/gpu/generator/src/main") # no classes of it at run time
  for module in $modules; do
    [ -d "$root/$module/$output/classes" ] || return 0
    inputs+=("$root/$module/pom.xml" "$root/$module/src/main")
  done
  [ -n "$(find "${inputs[@]}" -newer "$built/built" -print 2>/dev/null | head -n 1)" ]
}

stale_everywhere() {
  for output in target target/unchecked; do
    use "$output"
    if ! stale; then return 1; fi
  done
}

build() {
  local log=$target/run.log
  if [ -d "${HOME:-}/.m2/repository/org/apache/spark/spark-sql_2.13" ]; then
    echo "building…" >&2
  else
    echo "building… (the first build fetches Spark from Maven Central: some 300 MB)" >&2
  fi
  if ! (cd "$root" && ./mvnw -q -B "-Punchecked${profiles:+,$profiles}" "-Dbroadloom.profiles=$profiles" -pl examples/bench -am process-test-classes -Dmaven.test.skip=true) >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    echo "Cannot build Broadloom: the log above is in $log" >&2
    exit 1
  fi
}

build_if_stale() {
  mkdir -p "$target"
  if stale_everywhere; then
    # Two runs that start together build once.
    if command -v flock >/dev/null; then
      exec 9>"$target/run.lock"
      flock 9
    fi
    if stale_everywhere; then build; fi
    exec 9>&-
  fi
}
